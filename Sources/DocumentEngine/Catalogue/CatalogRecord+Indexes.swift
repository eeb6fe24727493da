import HearthDocumentModel
package import HearthQueryPlanning
import HearthStorageFormat

// The bytes of the catalogue's records:
//
//   mode    0 ascending, 1 descending, 2 contains
//   state   0 creating, 1 ready, 2 given up: an index that was dropped, or taken by an override,
//           with entries still to be deleted; a tuning of which something is left;
//           3 creating, and paused (composite indexes only)

private let givenUp: UInt8 = 2
private let pausedState: UInt8 = 3

extension IndexMode {
  package var byte: UInt8 {
    switch self {
    case .ascending: 0
    case .descending: 1
    case .contains: 2
    }
  }

  init(byte: UInt8) throws(CorruptBytes) {
    switch byte {
    case 0: self = .ascending
    case 1: self = .descending
    case 2: self = .contains
    default: throw CorruptBytes("index mode", at: 0)
    }
  }
}

extension IndexState {
  fileprivate var byte: UInt8 { self == .creating ? 0 : 1 }

  /// Returns the state; `nil` for an index that was given up.
  fileprivate static func read(_ byte: UInt8) throws(CorruptBytes) -> IndexState? {
    switch byte {
    case 0, pausedState: return .creating
    case 1: return .ready
    case givenUp: return nil
    default: throw CorruptBytes("index state", at: 0)
    }
  }
}

extension QueryScope {
  fileprivate init(isGroup: Bool) { self = isGroup ? .collectionGroup : .collection }
}

extension CatalogRecord.Composite {
  /// - Parameter isPaused: whether its build is paused.
  init(_ index: CompositeIndex, isPaused: Bool = false) {
    self.init(
      id: index.id, collectionGroup: index.definition.collectionGroup,
      scopeIsGroup: index.definition.scope == .collectionGroup,
      columns: index.definition.columns.map { Column(field: $0.field, mode: $0.mode.byte) },
      vector: index.definition.vector.map {
        Vector(field: $0.field, dimension: UInt64($0.dimension))
      },
      state: isPaused && index.state == .creating ? pausedState : index.state.byte)
  }

  var isPaused: Bool { state == pausedState }

  /// Creates the record of an index that was dropped. Only its id counts.
  init(droppedID: UInt64) {
    self.init(id: droppedID, collectionGroup: "", scopeIsGroup: false, columns: [], state: givenUp)
  }

  /// Returns the index; `nil` if it was dropped.
  func index() throws(CorruptBytes) -> CompositeIndex? {
    guard let state = try IndexState.read(state) else { return nil }
    var columns: [IndexColumn] = []
    for column in self.columns {
      columns.append(IndexColumn(column.field, try IndexMode(byte: column.mode)))
    }
    let vector = try self.vector.map { vector throws(CorruptBytes) in
      guard let dimension = Int(exactly: vector.dimension) else {
        throw CorruptBytes("dimension", at: 0)
      }
      return VectorColumn(vector.field, dimension: dimension)
    }
    let definition = IndexDefinition(
      collectionGroup, columns, scope: QueryScope(isGroup: scopeIsGroup), vector: vector)
    return CompositeIndex(id: id, definition: definition, state: state)
  }
}

extension CatalogRecord.Override {
  init(
    _ override: FieldOverride, retiring: AutomaticSpaces, isReverting: Bool,
    earlier: EarlierOverride?
  ) {
    let kept = override.indexes.map { index, state in
      Index(
        scopeIsGroup: index.scope == .collectionGroup, mode: index.mode.byte, state: state.byte)
    }
    let gone = SingleFieldIndex.all.filter { retiring.contains(AutomaticSpaces($0)) }
      .map { index in
        Index(
          scopeIsGroup: index.scope == .collectionGroup, mode: index.mode.byte, state: givenUp)
      }
    self.init(
      collectionGroup: override.collectionGroup, field: override.field,
      indexes: (kept + gone).sorted { ($0.sortKey) < ($1.sortKey) }, isReverting: isReverting,
      earlier: earlier.map(Earlier.init))
  }

  /// Returns the override and the spaces that it gives up.
  func override() throws(CorruptBytes) -> (FieldOverride, retiring: AutomaticSpaces) {
    var indexes: [SingleFieldIndex: IndexState] = [:]
    var retiring: AutomaticSpaces = []
    for record in self.indexes {
      let index = SingleFieldIndex(
        try IndexMode(byte: record.mode), scope: QueryScope(isGroup: record.scopeIsGroup))
      if let state = try IndexState.read(record.state) {
        indexes[index] = state
      } else {
        retiring.formUnion(AutomaticSpaces(index))
      }
    }
    return (FieldOverride(collectionGroup, field, indexes), retiring)
  }

  /// Returns the indexes that the field had before the change under way; `nil` if none are
  /// recorded.
  func earlierOverride() throws(CorruptBytes) -> EarlierOverride? {
    guard let earlier else { return nil }
    var indexes: [SingleFieldIndex] = []
    for record in earlier.indexes {
      indexes.append(
        SingleFieldIndex(
          try IndexMode(byte: record.mode), scope: QueryScope(isGroup: record.scopeIsGroup)))
    }
    return EarlierOverride(indexes, isInherited: earlier.isInherited)
  }
}

extension CatalogRecord.Override.Earlier {
  init(_ earlier: EarlierOverride) {
    // A state of the catalogue must have only one form in bytes.
    let wanted = Set(earlier.indexes)
    self.init(
      indexes: SingleFieldIndex.all.filter(wanted.contains).map { index in
        Index(scopeIsGroup: index.scope == .collectionGroup, mode: index.mode.byte)
      }, isInherited: earlier.isInherited)
  }
}

extension CatalogRecord.Covering {
  init(_ state: TuningState) {
    self.init(state: state.rawValue)
  }

  func tuningState() throws(CorruptBytes) -> TuningState { try TuningState(byte: state) }
}

extension CatalogRecord.Counts {
  init(_ counts: KeptCounts) {
    self.init(
      id: counts.id, collectionGroup: counts.definition.collectionGroup,
      scopeIsGroup: counts.definition.scope == .collectionGroup,
      fields: counts.definition.fields, state: counts.state.rawValue)
  }

  func counts() throws(CorruptBytes) -> KeptCounts {
    KeptCounts(
      id: id,
      definition: KeptCounts.Definition(
        collectionGroup, fields, scope: QueryScope(isGroup: scopeIsGroup)),
      state: try TuningState(byte: state))
  }
}

extension TuningState {
  fileprivate init(byte: UInt8) throws(CorruptBytes) {
    guard let state = TuningState(rawValue: byte) else { throw CorruptBytes("tuning state", at: 0) }
    self = state
  }
}

extension CatalogRecord.TimeToLive {
  init(_ policy: TimeToLive) {
    self.init(
      indexID: policy.index.id, collectionGroup: policy.collectionGroup, field: policy.field,
      offsetSeconds: UInt64(policy.offsetSeconds), state: policy.index.state.byte)
  }

  func timeToLive() throws(CorruptBytes) -> TimeToLive {
    guard let state = try IndexState.read(state) else { throw CorruptBytes("state", at: 0) }
    guard let offset = Int(exactly: offsetSeconds), TimeToLive.offsets.contains(offset) else {
      throw CorruptBytes("offset", at: 0)
    }
    return TimeToLive(
      id: indexID, collectionGroup, field, offsetSeconds: offset, state: state)
  }
}

extension CatalogRecord.Override.Index {
  fileprivate var sortKey: Int { (scopeIsGroup ? 1000 : 0) + Int(mode) * 10 + Int(state) }
}
