package import Hearth

/// The types of the fields of all imported documents.
package struct TypeSummary: Sendable {
  /// The types, as the options name them.
  package enum Kind: String, Sendable, CaseIterable {
    case integer, double, string, boolean, timestamp, null, map, array, bytes, reference, geopoint
    case vector
  }

  /// One field's values.
  package struct Field: Sendable {
    package let name: String
    /// Numbers of values by their kind.
    package fileprivate(set) var counts = [Int](repeating: 0, count: Kind.allCases.count)
    /// The field's texts, as long as they are few and short.
    package fileprivate(set) var texts: [(text: String, count: Int)] = []
    package fileprivate(set) var hasManyTexts = false
    /// Number of doubles that are whole numbers beyond 64 bits, and near enough to them to have
    /// been written with all their digits.
    package fileprivate(set) var beyondCount = 0

    package subscript(kind: Kind) -> Int { counts[kind.place] }
  }

  /// Number of fields that are told apart; documents can use ids as names of fields.
  private static let fieldCount = 1000
  fileprivate static let textCount = 3
  fileprivate static let textByteCount = 24

  package private(set) var documentCount = 0
  /// The fields by their names.
  package private(set) var fields: [Field] = []
  /// Whether there are more fields than are told apart.
  package private(set) var isCut = false

  package init() {}

  /// Adds a document's fields.
  package mutating func add(_ document: MapValue) {
    documentCount += 1
    // Both are sorted by name, and mostly have the same names.
    var place = 0
    for (name, value) in document {
      while place < fields.count, !fields[place].name.utf8Equal(name),
        fields[place].name.utf8Compare(name) == .less
      {
        place += 1
      }
      if place == fields.count || !fields[place].name.utf8Equal(name) {
        guard fields.count < TypeSummary.fieldCount else {
          isCut = true
          continue
        }
        fields.insert(Field(name: name), at: place)
      }
      fields[place].add(value)
      place += 1
    }
  }
}

extension TypeSummary.Field {
  fileprivate mutating func add(_ value: Value) {
    counts[TypeSummary.Kind(value).place] += 1
    switch value {
    case .string(let text): add(text)
    case .double(let number):
      let magnitude = number.magnitude
      if magnitude >= 0x1p63, magnitude < 1e21 { beyondCount += 1 }
    default: break
    }
  }

  private mutating func add(_ text: String) {
    guard !hasManyTexts else { return }
    if let place = texts.firstIndex(where: { $0.text.utf8Equal(text) }) {
      texts[place].count += 1
    } else if texts.count < TypeSummary.textCount, text.utf8.count <= TypeSummary.textByteCount {
      texts.append((text, 1))
    } else {
      hasManyTexts = true
    }
  }
}

extension TypeSummary.Kind {
  /// Place among all kinds.
  fileprivate var place: Int {
    switch self {
    case .integer: 0
    case .double: 1
    case .string: 2
    case .boolean: 3
    case .timestamp: 4
    case .null: 5
    case .map: 6
    case .array: 7
    case .bytes: 8
    case .reference: 9
    case .geopoint: 10
    case .vector: 11
    }
  }

  fileprivate init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .boolean: .boolean
      case .integer: .integer
      case .double: .double
      case .timestamp: .timestamp
      case .string: .string
      case .bytes: .bytes
      case .reference: .reference
      case .geoPoint: .geopoint
      case .array: .array
      case .vector: .vector
      case .map: .map
      }
  }
}
