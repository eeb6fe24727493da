import HearthDocumentModel
package import HearthQueryPlanning
package import HearthStorageFormat

/// The indexes of one collection id, in the form that writers need. Made once for each catalogue.
final class CollectionIndexes: Sendable {
  /// A value in the keys of some composite indexes, encoded once for all of them.
  struct Column: Sendable, Hashable {
    let field: FieldPath
    let order: ColumnOrder
  }

  /// A composite index. It is a class, since every write goes through all of them.
  final class Composite: Sendable {
    let index: CompositeIndex
    let isGroup: Bool
    let nameOrder: ColumnOrder
    /// The positions of its columns in the group's `columns`, without the name.
    let columns: [Int]
    /// The position in `columns` of the array column, whose elements have one entry each; `nil` if
    /// there is none.
    let elementColumn: Int?
    /// Whether its entries carry the whole document.
    let coversDocuments: Bool
    /// Whether its entries count for the limits of §1.2. Those of Hearth's own indexes don't.
    let countsForLimits: Bool

    fileprivate init(
      _ index: CompositeIndex, columns: [Int], coversDocuments: Bool, countsForLimits: Bool
    ) {
      let definition = index.definition
      self.index = index
      self.columns = columns
      self.coversDocuments = coversDocuments
      self.countsForLimits = countsForLimits
      isGroup = definition.scope == .collectionGroup
      nameOrder = ColumnOrder(definition.columns.last?.mode ?? .ascending)
      elementColumn = definition.columns.dropLast().firstIndex { $0.mode == .contains }
    }
  }

  let composites: [Composite]
  let columns: [Column]
  let rules: AutomaticRules
  let tunings: Tunings
  /// Whether some index has entries that carry the whole document.
  let coversDocuments: Bool

  /// The indexes of a collection id without any settings.
  static let defaults = CollectionIndexes([], AutomaticRules([]), Tunings())

  init(
    _ indexes: [CompositeIndex], _ rules: AutomaticRules, _ tunings: Tunings,
    timesToLive: [TimeToLive] = []
  ) {
    var columns: [Column] = []
    var places: [Column: Int] = [:]
    let unlimited = timesToLive.map { (index: $0.index, countsForLimits: false) }
    composites = (indexes.map { ($0, true) } + unlimited).map { index, countsForLimits in
      let own = index.definition.columns.dropLast().map { column in
        let column = Column(field: column.field, order: ColumnOrder(column.mode))
        if let known = places[column] { return known }
        columns.append(column)
        places[column] = columns.count - 1
        return columns.count - 1
      }
      return Composite(
        index, columns: own, coversDocuments: tunings.writesRecords(ofIndex: index.id),
        countsForLimits: countsForLimits)
    }
    coversDocuments = composites.contains(where: \.coversDocuments)
    self.columns = columns
    self.rules = rules
    self.tunings = tunings
  }

  /// Returns the positions in `composites` of the indexes whose entries can change when `fields`
  /// change.
  func composites(touchedBy fields: ChangedFields) -> [Int] {
    var areTouched: [Bool] = []
    areTouched.reserveCapacity(columns.count)
    for index in columns.indices { areTouched.append(fields.contains(columns[index].field)) }
    return composites.indices.filter { place in
      // Every change of a document changes an entry that carries it.
      composites[place].coversDocuments || composites[place].columns.contains { areTouched[$0] }
        || composites[place].index.definition.vector.map { fields.contains($0.field) } ?? false
    }
  }
}

/// The top-level fields in which two versions of a document differ.
struct ChangedFields {
  /// The names of the fields, sorted, each once.
  private var names: [String] = []

  init(from oldFields: MapValue, to newFields: MapValue) {
    let (oldNames, newNames) = (oldFields.names, newFields.names)
    let (oldValues, newValues) = (oldFields.values, newFields.values)
    var (left, right) = (0, 0)
    // Most fields are in both.
    while left < oldNames.count, left < newNames.count,
      oldNames[left].utf8Equal(newNames[left])
    {
      if oldValues[left] != newValues[left] { names.append(oldNames[left]) }
      left += 1
    }
    right = left
    while left < oldNames.count || right < newNames.count {
      let order: Ordering =
        if left == oldNames.count {
          .greater
        } else if right == newNames.count {
          .less
        } else {
          oldNames[left].utf8Compare(newNames[right])
        }
      switch order {
      case .less: names.append(oldNames[left])
      case .greater: names.append(newNames[right])
      case .equal: if oldValues[left] != newValues[right] { names.append(oldNames[left]) }
      }
      if order != .greater { left += 1 }
      if order != .less { right += 1 }
    }
  }

  var isEmpty: Bool { names.isEmpty }

  /// - Complexity: the logarithm of the number of differing fields.
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

  /// Whether the value of `field` may differ.
  func contains(_ field: FieldPath) -> Bool { field.names.first.map(contains) ?? true }
}

/// The columns of one document's composite entries. Each is encoded when it is first needed.
struct EncodedColumns {
  private struct Place {
    var state = State.unknown
    var start = 0
    var end = 0
    var flags = ColumnFlags.none
    /// The size that it counts for in an entry (§1.3).
    var byteCount = 0

    enum State { case unknown, missing, encoded }
  }

  private let fields: MapValue
  private let indexes: CollectionIndexes
  private let encoder: ValueEncoder
  private let id: String
  private var bytes: [UInt8] = []
  private var places: [Place]
  /// The places of the document's id in either order, once it is encoded.
  private var ascendingID: Range<Int>?
  private var descendingID: Range<Int>?

  /// - Parameter id: the document's id.
  init(
    _ fields: MapValue, id: String, _ indexes: CollectionIndexes, _ encoder: ValueEncoder
  ) {
    self.fields = fields
    self.id = id
    self.indexes = indexes
    self.encoder = encoder
    places = Array(repeating: Place(), count: indexes.columns.count)
    bytes.reserveCapacity(32 * places.count)
  }

  /// Returns the size that a column counts for in an entry (§1.3); `nil` if the document lacks the
  /// field.
  mutating func byteCount(_ column: Int) -> Int? {
    if places[column].state == .unknown { encode(column) }
    return places[column].state == .encoded ? places[column].byteCount : nil
  }

  func value(_ column: Int) -> Value? { fields[indexes.columns[column].field] }

  /// Appends an encoded column to `key`. Returns its flags, which the key doesn't hold.
  func append(_ column: Int, to key: inout [UInt8]) -> ColumnFlags {
    let place = places[column]
    key.append(bytes.span.bytes.extracting(place.start..<place.end))
    return place.flags
  }

  /// Appends `element` in place of the column's array.
  func append(_ element: Value, of column: Int, to key: inout [UInt8]) -> ColumnFlags {
    let isCut = encoder.append(element, indexes.columns[column].order, to: &key)
    return ColumnFlags(element, isCut: isCut)
  }

  /// Appends the document's id to `key`, as the name that ends it.
  mutating func appendID(_ order: ColumnOrder, to key: inout [UInt8]) {
    let place = (order == .ascending ? ascendingID : descendingID) ?? encodeID(order)
    key.append(bytes.span.bytes.extracting(place))
  }

  private mutating func encodeID(_ order: ColumnOrder) -> Range<Int> {
    let start = bytes.count
    OrderedName.append(documentID: id, order, to: &bytes)
    let place = start..<bytes.count
    if order == .ascending { ascendingID = place } else { descendingID = place }
    return place
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

extension ColumnOrder {
  package init(_ mode: IndexMode) {
    self = mode == .descending ? .descending : .ascending
  }
}
