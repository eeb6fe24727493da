import HearthDocumentModel
import HearthQueryPlanning

extension MessageType {
  fileprivate static let query = MessageType(
    "StructuredQuery",
    [
      "select", "from", "where", "orderBy", "startAt", "endAt", "offset", "limit", "findNearest",
    ])
  fileprivate static let selector = MessageType(
    "StructuredQuery.CollectionSelector", ["collectionId", "allDescendants"])
  fileprivate static let projection = MessageType("StructuredQuery.Projection", ["fields"])
  fileprivate static let fieldReference = MessageType(
    "StructuredQuery.FieldReference", ["fieldPath"])
  fileprivate static let order = MessageType("StructuredQuery.Order", ["field", "direction"])
  fileprivate static let cursor = MessageType("Cursor", ["values", "before"])
  fileprivate static let int32 = wrapper("Int32Value")
  fileprivate static let double = wrapper("DoubleValue")
  fileprivate static let nearest = MessageType(
    "StructuredQuery.FindNearest",
    [
      "vectorField", "queryVector", "distanceMeasure", "limit", "distanceResultField",
      "distanceThreshold",
    ])
}

extension EnumType {
  fileprivate static let direction = EnumType(
    "StructuredQuery.Direction", ["DIRECTION_UNSPECIFIED", "ASCENDING", "DESCENDING"])
  fileprivate static let measure = EnumType(
    "StructuredQuery.FindNearest.DistanceMeasure",
    ["DISTANCE_MEASURE_UNSPECIFIED"] + ["EUCLIDEAN", "COSINE", "DOT_PRODUCT"])
}

extension MessageReader {
  /// Reads a `StructuredQuery` (§4.1).
  mutating func query(
    _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) -> StructuredQuery {
    var query = StructuredQuery(collectionID: "", below: parent)
    try message(json, .query) { reader, field, value throws(DatabaseError) in
      switch field {
      case "select": query.projection = try reader.projection(value)
      case "from": try reader.readSource(value, into: &query)
      case "where": query.filter = try reader.filter(value)
      case "orderBy": query.orders = try reader.orders(value)
      case "startAt": query.start = try reader.cursor(value)
      case "endAt": query.end = try reader.cursor(value)
      case "offset": query.offset = try reader.integer32(value)
      case "limit": query.limit = try reader.limit(value)
      default: query.nearest = try reader.nearest(value)
      }
    }
    return query
  }

  private mutating func limit(_ json: JSONValue) throws(DatabaseError) -> Int {
    try wrapped(json, .int32) { reader, json throws(DatabaseError) in try reader.integer32(json) }
  }

  private mutating func readSource(
    _ json: JSONValue, into query: inout StructuredQuery
  ) throws(DatabaseError) {
    let selectors = try list(json, of: MessageType.selector.name) {
      reader, json throws(DatabaseError) in
      var selector = (collectionID: "", allDescendants: false)
      try reader.message(json, .selector) { reader, field, value throws(DatabaseError) in
        if field == "collectionId" {
          selector.collectionID = try reader.string(value)
        } else {
          selector.allDescendants = try reader.boolean(value)
        }
      }
      return selector
    }
    if selectors.count > 1 {
      refuse("StructuredQuery.from cannot have more than one collection selector.")
    }
    guard let selector = selectors.first else { return }
    query.collectionID = selector.collectionID
    query.allDescendants = selector.allDescendants
  }

  private mutating func projection(_ json: JSONValue) throws(DatabaseError) -> [FieldPath] {
    var fields: [FieldPath] = []
    try message(json, .projection) { reader, _, value throws(DatabaseError) in
      fields = try reader.list(value, of: MessageType.fieldReference.name) {
        reader, json throws(DatabaseError) in
        try reader.fieldReference(json)
      }
    }
    return fields
  }

  /// Reads a field's path. A `FieldReference` without a path is refused as the empty path.
  mutating func fieldReference(_ json: JSONValue?) throws(DatabaseError) -> FieldPath {
    var path = ""
    if let json {
      try message(json, .fieldReference) { reader, _, value throws(DatabaseError) in
        path = try reader.string(value)
      }
    }
    return fieldPath(path)
  }

  mutating func fieldPath(_ text: String) -> FieldPath {
    meaning(or: .documentID) { () throws(DatabaseError) in try FieldPath(text) }
  }

  private mutating func orders(_ json: JSONValue) throws(DatabaseError) -> [Order] {
    try list(json, of: MessageType.order.name) { reader, json throws(DatabaseError) in
      var field: JSONValue?
      var direction = 0
      try reader.message(json, .order) { reader, name, value throws(DatabaseError) in
        if name == "field" {
          field = value
        } else {
          direction = try reader.enumeration(value, .direction)
        }
      }
      let path = try reader.reading(MessageField("field")) { reader throws(DatabaseError) in
        try reader.fieldReference(field)
      }
      if !EnumType.direction.values.indices.contains(direction) {
        reader.refuse("Unknown Order direction.")
      }
      return Order(path, direction == 2 ? .descending : .ascending)
    }
  }

  mutating func cursor(_ json: JSONValue) throws(DatabaseError) -> Cursor {
    var cursor = Cursor([], isBefore: false)
    try message(json, .cursor) { reader, field, value throws(DatabaseError) in
      if field == "values" {
        cursor.values = try reader.values(value)
      } else {
        cursor.isBefore = try reader.boolean(value)
      }
    }
    return cursor
  }

  private mutating func nearest(_ json: JSONValue) throws(DatabaseError) -> NearestNeighbors {
    var nearest = NearestNeighbors(.documentID, to: [], by: .euclidean, limit: 0)
    var (field, vector): (JSONValue?, Value?)
    var measure = 0
    try message(json, .nearest) { reader, name, value throws(DatabaseError) in
      switch name {
      case "vectorField": field = value
      case "queryVector": vector = try reader.value(value)
      case "distanceMeasure": measure = try reader.enumeration(value, .measure)
      case "limit": nearest.limit = try reader.limit(value)
      case "distanceResultField":
        let name = try reader.string(value)
        nearest.distanceField = name.isEmpty ? nil : name
      default:
        nearest.threshold = try reader.wrapped(value, .double) {
          reader, json throws(DatabaseError) in try reader.double(json)
        }
      }
    }
    nearest.field = try reading(MessageField("vectorField")) { reader throws(DatabaseError) in
      try reader.fieldReference(field)
    }
    switch vector {
    case .vector(let elements): nearest.vector = elements
    case nil: refuse("Cannot convert firestore.v1.Value with type unset.")
    default: refuse("Query Value must be of type vector.")
    }
    let names = EnumType.measure.values
    if names.indices.contains(measure),
      let known = NearestNeighbors.Measure(rawValue: names[measure])
    {
      nearest.measure = known
    } else {
      refuse("Unknown Distance Measure.")
    }
    return nearest
  }
}
