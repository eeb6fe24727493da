import Hearth

extension Filter {
  /// Fields that are compared with a place.
  var places: [FieldPath] {
    switch self {
    case .field(let field, _, let value): value.isPlace ? [field] : []
    case .unary: []
    case .and(let filters), .or(let filters): filters.flatMap(\.places)
    }
  }

  var hasPlaceInList: Bool {
    switch self {
    case .field(_, _, let value): value.holdsPlace
    case .unary: false
    case .and(let filters), .or(let filters): filters.contains(where: \.hasPlaceInList)
    }
  }

  /// Returns the filter with a document's values in its places; `nil` if the document lacks one.
  func filled(
    from document: DocumentSnapshot, using random: inout SplitMix
  ) throws(DatabaseError) -> Filter? {
    switch self {
    case .field(let field, let comparison, let value):
      guard value.isPlace else { return self }
      guard let drawn = try value.drawn(field, of: document) else { return nil }
      switch (comparison, drawn) {
      case (.arrayContains, .array(let elements)):
        guard let element = elements.randomElement(using: &random) else { return nil }
        return .field(field, comparison, element)
      // Nothing equals null or NaN (§2.4), and only an array contains anything.
      case (.arrayContains, _), (_, .null): return nil
      case (_, .double(let number)) where number.isNaN: return nil
      default: return .field(field, comparison, drawn)
      }
    case .unary: return self
    case .and(let filters):
      return try Filter.filled(filters, from: document, using: &random).map { .and($0) }
    case .or(let filters):
      return try Filter.filled(filters, from: document, using: &random).map { .or($0) }
    }
  }

  private static func filled(
    _ filters: [Filter], from document: DocumentSnapshot, using random: inout SplitMix
  ) throws(DatabaseError) -> [Filter]? {
    var filled: [Filter] = []
    for filter in filters {
      guard let part = try filter.filled(from: document, using: &random) else { return nil }
      filled.append(part)
    }
    return filled
  }
}

extension Value {
  /// Whether the value is a place. In a comparison with a document's id, a place names a document.
  var isPlace: Bool {
    switch self {
    case .string(let text): text.utf8Equal(QueryTemplate.place)
    case .reference(let name): name.path.lastSegment?.utf8Equal(QueryTemplate.place) ?? false
    default: false
    }
  }

  /// Whether a place is nested in the value, rather than being the value itself.
  var holdsPlace: Bool {
    switch self {
    case .array(let elements): elements.contains { $0.isPlace || $0.holdsPlace }
    case .map(let fields): fields.contains { $0.value.isPlace || $0.value.holdsPlace }
    default: false
    }
  }

  /// Returns the document's value for this place, which is compared with `field`.
  func drawn(
    _ field: FieldPath, of document: DocumentSnapshot
  ) throws(DatabaseError) -> Value? {
    guard case .reference(let name) = self else { return try document.value(field) }
    return .reference(try DocumentName(document.reference.path, in: name.database))
  }
}
