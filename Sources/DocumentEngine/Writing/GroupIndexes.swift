import DocumentModel
import QueryPlanning
import StorageFormat

/// The indexes that documents of one collection id have entries in, as writing needs them: worked
/// out once for each catalogue.
final class GroupIndexes: Sendable {
  /// A value as the keys of some composite indexes have it: encoded once for all of them.
  struct Column: Sendable {
    let field: FieldPath
    let order: ColumnOrder
  }

  struct Composite: Sendable {
    let index: CompositeIndex
    let isGroup: Bool
    let nameOrder: ColumnOrder
    /// The places of its columns in `columns`, without the name.
    let columns: [Int]
    /// Which of them holds the elements of an array, one in each entry.
    let elementColumn: Int?
    /// Whether its entries carry the whole document.
    let coversDocuments: Bool
    /// Whether its entries count for the limits of §1.2: not those of Hearth's own indexes.
    let countsForLimits: Bool
  }

  let composites: [Composite]
  let columns: [Column]
  let rules: AutomaticRules
  let tunings: Tunings
  /// Whether some index has entries that carry the whole document.
  let coversDocuments: Bool

  /// Those of a collection id that nobody has said anything of.
  static let defaults = GroupIndexes([], AutomaticRules([]), Tunings())

  init(
    _ indexes: [CompositeIndex], _ rules: AutomaticRules, _ tunings: Tunings,
    timesToLive: [TimeToLive] = []
  ) {
    var columns: [Column] = []
    let own = timesToLive.map { (index: $0.index, countsForLimits: false) }
    composites = (indexes.map { ($0, true) } + own).map { index, countsForLimits in
      let definition = index.definition
      let places = definition.columns.dropLast().map { column in
        let order = ColumnOrder(column.mode)
        let known = columns.firstIndex { $0.field == column.field && $0.order == order }
        if let known { return known }
        columns.append(Column(field: column.field, order: order))
        return columns.count - 1
      }
      return Composite(
        index: index, isGroup: definition.scope == .collectionGroup,
        nameOrder: ColumnOrder(definition.columns.last?.mode ?? .ascending), columns: places,
        elementColumn: definition.columns.dropLast().firstIndex { $0.mode == .contains },
        coversDocuments: tunings.writesRecords(ofIndex: index.id),
        countsForLimits: countsForLimits)
    }
    coversDocuments = composites.contains(where: \.coversDocuments)
    self.columns = columns
    self.rules = rules
    self.tunings = tunings
  }

  /// The indexes of which an entry can change when `fields` do, by their places in `composites`.
  func composites(touchedBy fields: ChangedFields) -> [Int] {
    let areTouched = columns.map { fields.contains($0.field) }
    return composites.indices.filter { place in
      // Whatever changes, the document that its entry carries is another.
      composites[place].coversDocuments || composites[place].columns.contains { areTouched[$0] }
        || composites[place].index.definition.vector.map { fields.contains($0.field) } ?? false
    }
  }
}

/// The top-level fields in which two states of a document differ.
struct ChangedFields {
  /// Sorted, each once.
  private var names: [String] = []

  init(from oldFields: MapValue, to newFields: MapValue) {
    let (old, new) = (oldFields.fields, newFields.fields)
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let order: Ordering =
        if left == old.count {
          .greater
        } else if right == new.count {
          .less
        } else {
          old[left].name.utf8Compare(new[right].name)
        }
      switch order {
      case .less: names.append(old[left].name)
      case .greater: names.append(new[right].name)
      case .equal:
        if old[left].value != new[right].value { names.append(old[left].name) }
      }
      if order != .greater { left += 1 }
      if order != .less { right += 1 }
    }
  }

  var isEmpty: Bool { names.isEmpty }

  /// - Complexity: the logarithm of how many fields differ.
  func contains(_ name: String) -> Bool {
    var (lower, upper) = (0, names.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      switch names[middle].utf8Compare(name) {
      case .equal: return true
      case .less: lower = middle + 1
      case .greater: upper = middle
      }
    }
    return false
  }

  /// Whether the value of `field` may be another.
  func contains(_ field: FieldPath) -> Bool { field.names.first.map(contains) ?? true }
}

/// The columns of one document's composite entries, each encoded when it is first needed.
struct EncodedColumns {
  private struct Place {
    var state = State.unknown
    var start = 0
    var end = 0
    var flags = ColumnFlags.none
    /// What it counts for in an entry (§1.3).
    var byteCount = 0

    enum State { case unknown, missing, encoded }
  }

  private let fields: MapValue
  private let indexes: GroupIndexes
  private let encoder: ValueEncoder
  private var bytes: [UInt8] = []
  private var places: [Place]

  init(_ fields: MapValue, _ indexes: GroupIndexes, _ encoder: ValueEncoder) {
    self.fields = fields
    self.indexes = indexes
    self.encoder = encoder
    places = Array(repeating: Place(), count: indexes.columns.count)
    bytes.reserveCapacity(32 * places.count)
  }

  /// What a column counts for in an entry (§1.3); `nil` where the document lacks the field.
  mutating func byteCount(_ column: Int) -> Int? {
    if places[column].state == .unknown { encode(column) }
    return places[column].state == .encoded ? places[column].byteCount : nil
  }

  func value(_ column: Int) -> Value? { fields[indexes.columns[column].field] }

  /// Appends a column that is encoded to `key`, and returns what the key doesn't say of it.
  func append(_ column: Int, to key: inout [UInt8]) -> ColumnFlags {
    let place = places[column]
    key.append(bytes.span.bytes.extracting(place.start..<place.end))
    return place.flags
  }

  /// Appends `element` in place of the array in the column.
  func append(_ element: Value, of column: Int, to key: inout [UInt8]) -> ColumnFlags {
    let isCut = encoder.append(element, indexes.columns[column].order, to: &key)
    return ColumnFlags(element, isCut: isCut)
  }

  private mutating func encode(_ column: Int) {
    guard let value = value(column) else {
      places[column].state = .missing
      return
    }
    let start = bytes.count
    let isCut = encoder.append(value, indexes.columns[column].order, to: &bytes)
    places[column] = Place(
      state: .encoded, start: start, end: bytes.count, flags: ColumnFlags(value, isCut: isCut),
      byteCount: value.indexedByteCount)
  }
}

/// The flags of an entry's columns, of which most have none.
struct EntryFlags {
  /// As far as the last column that has any.
  private(set) var flags: [ColumnFlags] = []

  mutating func set(_ columnFlags: ColumnFlags, at column: Int) {
    guard columnFlags != .none else { return }
    while flags.count < column { flags.append(.none) }
    flags.append(columnFlags)
  }
}
