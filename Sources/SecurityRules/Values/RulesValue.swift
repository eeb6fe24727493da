import HearthDocumentModel

/// A value of the rules language.
///
/// Lists and maps of documents stay in the form of the document, and are read element by element.
enum RulesValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Double)
  case string(String)
  case bytes([UInt8])
  case timestamp(RulesTimestamp)
  case duration(RulesDuration)
  case latlng(GeoPoint)
  case path(RulesPath)
  case list(RulesList)
  case map(RulesMap)
  case set(RulesSet)
  case mapDiff(MapDifference)
  case vector([Double])
  /// All that a query's conditions tell of a field that they don't fix to one value.
  case constraint(Constraint)
}

extension RulesValue {
  /// Creates the value of a document's field. References lose their project.
  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .boolean(let value): self = .bool(value)
    case .integer(let value): self = .int(value)
    case .double(let value): self = .float(value)
    case .timestamp(let value): self = .timestamp(RulesTimestamp(value))
    case .string(let value): self = .string(value)
    case .bytes(let value): self = .bytes(value)
    case .reference(let name): self = .path(RulesPath(name.path, in: name.database.database))
    case .geoPoint(let value): self = .latlng(value)
    case .array(let elements): self = .list(.stored(elements))
    case .vector(let numbers): self = .vector(numbers)
    case .map(let fields): self = .map(.stored(fields))
    }
  }

  /// The work of comparing the value with another one, in elements and parts of texts.
  var weight: Int {
    switch self {
    case .string(let text): 1 + text.utf8.count / 16
    case .bytes(let bytes): 1 + bytes.count / 16
    case .list(let list): list.weight
    case .map(let map): map.weight
    case .set(let set): set.elements.weight
    case .path(let path): path.segments.count
    case .vector(let numbers): numbers.count
    case .null, .bool, .int, .float, .timestamp, .duration, .latlng, .mapDiff, .constraint: 1
    }
  }

  /// The value's type.
  var type: RulesType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .string: .string
    case .bytes: .bytes
    case .timestamp: .timestamp
    case .duration: .duration
    case .latlng: .latlng
    case .path: .path
    case .list: .list
    case .map: .map
    case .set: .set
    case .mapDiff: .mapDiff
    case .vector: .vector
    case .constraint: .constraint
    }
  }
}

extension [RulesValue] {
  /// One more than the work of comparing all elements.
  var weight: Int { reduce(1) { $0 + $1.weight } }
}
