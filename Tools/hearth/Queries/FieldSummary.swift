import Hearth

/// The values of a field in the documents that were read.
struct FieldSummary {
  /// The most examples that are kept.
  private static let exampleCount = 3

  let path: FieldPath
  /// Number of documents that have the field.
  private(set) var count = 0
  /// Number of values of each type.
  private(set) var types: [String: Int] = [:]
  private(set) var smallest: Value?
  private(set) var largest: Value?
  private(set) var examples: [Value] = []

  init(_ path: FieldPath) {
    self.path = path
  }

  /// The types with their numbers, the most frequent first.
  var sortedTypes: [(name: String, count: Int)] {
    types.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  mutating func add(_ value: Value) {
    count += 1
    types[value.typeName, default: 0] += 1
    // The fields of a map have summaries of their own.
    if case .map = value { return }
    if smallest.map({ value.compare($0) == .less }) ?? true { smallest = value }
    if largest.map({ value.compare($0) == .greater }) ?? true { largest = value }
    guard examples.count < FieldSummary.exampleCount, value != .null, !value.isLong,
      !examples.contains(value)
    else { return }
    examples.append(value)
  }
}

/// The summaries of all fields of some documents, those inside maps included.
struct FieldSummaries {
  /// The most fields that are kept: names of fields may be data.
  static let mostCount = 1000

  private(set) var documentCount = 0
  /// Whether fields were left out because there are too many.
  private(set) var isCut = false
  private var summaries: [FieldPath: FieldSummary] = [:]

  init() {}

  /// The summaries, sorted by their fields.
  var rows: [FieldSummary] { summaries.values.sorted { $0.path < $1.path } }

  mutating func add(_ fields: MapValue) {
    documentCount += 1
    add(fields, below: [])
  }

  private mutating func add(_ fields: MapValue, below names: [String]) {
    for field in fields {
      let path = FieldPath(unchecked: names + [field.name])
      if summaries[path] == nil {
        guard summaries.count < FieldSummaries.mostCount else {
          isCut = true
          continue
        }
        summaries[path] = FieldSummary(path)
      }
      summaries[path]?.add(field.value)
      if case .map(let inner) = field.value { add(inner, below: path.names) }
    }
  }
}

extension Value {
  /// Name of the value's type, as in Firestore's documentation.
  fileprivate var typeName: String {
    switch self {
    case .integer: "integer"
    case .double: "double"
    case .geoPoint: "geopoint"
    default: "\(typeClass)"
    }
  }

  /// Whether the value is too long for an example.
  fileprivate var isLong: Bool {
    switch self {
    case .string(let text): text.utf8.count > 100
    case .bytes(let bytes): bytes.count > 100
    case .array(let elements): elements.count > 10 || elements.contains(where: \.isLong)
    case .vector(let elements): elements.count > 10
    default: false
    }
  }
}
