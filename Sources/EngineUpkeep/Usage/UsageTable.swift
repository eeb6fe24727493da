import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat

/// The indexes with their entries and their use, as rows.
struct UsageTable {
  private let indexes: IndexSet
  private let census: EntryCensus?
  private let sums: SumTable
  private let records: [IndexName: UsageRecord]
  private let start: Timestamp
  private let missesQueries: Bool

  /// - Parameter sums: the source of entry counts if there is no census.
  init(_ catalog: Catalog, _ usage: IndexUsage, _ census: EntryCensus?, _ sums: SumTable) {
    indexes = catalog.indexes
    // In this order, since a query that is missed after this has no record either way.
    records = usage.records
    missesQueries = usage.missesQueries
    start = usage.start
    self.census = census
    self.sums = sums
  }

  /// - Parameter byteCount: returns the approximate number of bytes that a range of keys has on
  ///   disk.
  func rows(_ byteCount: (KeyRange) throws -> Int) throws -> [IndexStatistics] {
    var rows: [IndexStatistics] = []
    for index in indexes.composites {
      let name = IndexName.composite(id: index.id)
      var row = row(.composite, [name], [index.definition], index.state)
      row.isHidden = index.isHidden
      row.entryCount = row.entryCount ?? sums.entryCount(in: .composite(index.id))
      row.diskByteCount = try byteCount(.prefix(StorageKey.compositePrefix(id: index.id)))
      rows.append(row)
    }
    rows += fields + names
    try estimateDiskBytes(of: &rows, byteCount)
    return rows
  }

  private func row(
    _ kind: IndexStatistics.Kind, _ names: [IndexName], _ definitions: [IndexDefinition],
    _ state: IndexState
  ) -> IndexStatistics {
    let used = names.compactMap { records[$0] }
    let extent = census.map { census in
      names.reduce(into: EntryCensus.Extent()) {
        $0.add(census.extents[$1] ?? EntryCensus.Extent())
      }
    }
    var row = IndexStatistics(
      kind, definitions, state, since: used.map(\.since).min() ?? start)
    row.entryCount = extent?.entryCount
    row.byteCount = extent?.byteCount
    if !used.isEmpty || !missesQueries {
      row.queryCount = used.reduce(0) { $0 &+ Int(clamping: $1.queryCount) }
    }
    row.lastQueryTime = used.compactMap(\.lastQueryTime).max()
    row.entryWriteCount = used.reduce(0) { $0 &+ Int(clamping: $1.entryWriteCount) }
    return row
  }

  // MARK: Fields

  /// The entries of one field in one scope: those of its values, or those of its arrays' elements.
  private struct FieldSpace: Hashable, Comparable {
    let group: UTF8Key
    let field: FieldPath
    let scopeIsGroup: Bool
    let isContains: Bool

    init?(_ name: IndexName) {
      guard case .field(let field, let mode, let group, let scopeIsGroup) = name else { return nil }
      self.group = group
      self.field = field
      self.scopeIsGroup = scopeIsGroup
      isContains = mode == IndexMode.contains.byte
    }

    static func < (left: FieldSpace, right: FieldSpace) -> Bool {
      if left.group != right.group { return left.group < right.group }
      if left.field != right.field { return left.field < right.field }
      if left.scopeIsGroup != right.scopeIsGroup { return !left.scopeIsGroup }
      return !left.isContains && right.isContains
    }

    var scope: QueryScope { scopeIsGroup ? .collectionGroup : .collection }
    var modes: [IndexMode] { isContains ? [.contains] : [.ascending, .descending] }
  }

  private var fields: [IndexStatistics] {
    let known = Set(records.keys).union(census?.extents.keys.map { $0 } ?? [])
    let declared = indexes.overrides.flatMap { override in
      override.indexes.keys.compactMap { index in
        override.field.map { IndexName($0, index, in: UTF8Key(override.collectionGroup)) }
      }
    }
    let spaces = Set(known.union(declared).compactMap(FieldSpace.init)).sorted()
    return spaces.compactMap { space in
      let group = space.group.string
      var states: [IndexState] = []
      var definitions: [IndexDefinition] = []
      for mode in space.modes {
        let single = SingleFieldIndex(mode, scope: space.scope)
        guard let state = indexes.state(of: single, field: space.field, in: group) else { continue }
        states.append(state)
        definitions.append(
          IndexDefinition(group, [IndexColumn(space.field, mode)], scope: space.scope))
      }
      guard !definitions.isEmpty else { return nil }
      let names = space.modes.map {
        IndexName(space.field, SingleFieldIndex($0, scope: space.scope), in: space.group)
      }
      return row(.field, names, definitions, states.contains(.creating) ? .creating : .ready)
    }
  }

  // MARK: Names

  private var names: [IndexStatistics] {
    let known = Set(records.keys).union(census?.extents.keys.map { $0 } ?? [])
    let names = known.compactMap { name -> (group: UTF8Key, isGroup: Bool)? in
      guard case .names(let group, let isGroup) = name else { return nil }
      return (group, isGroup)
    }
    .sorted { ($0.group, $0.isGroup ? 1 : 0) < ($1.group, $1.isGroup ? 1 : 0) }
    return names.map { group, isGroup in
      let definition = IndexDefinition(
        group.string, [IndexColumn(.documentID, .ascending)],
        scope: isGroup ? .collectionGroup : .collection)
      return row(
        .names, [.names(collectionGroup: group, scopeIsGroup: isGroup)], [definition], .ready)
    }
  }

  /// Estimates the bytes on disk of indexes whose entries lie scattered by collection, which are
  /// those of fields and names. All bytes of a kind are shared out by the sizes of the entries.
  private func estimateDiskBytes(
    of rows: inout [IndexStatistics], _ byteCount: (KeyRange) throws -> Int
  ) throws {
    guard census != nil else { return }
    for kind in [IndexStatistics.Kind.field, .names] {
      for scope in QueryScope.allCases {
        let places = rows.indices.filter {
          rows[$0].kind == kind && rows[$0].definitions[0].scope == scope
        }
        let prefix = StorageKey.entryPrefix(
          ofNames: kind == .names, scopeIsGroup: scope == .collectionGroup)
        let onDisk = Double(try byteCount(.prefix(prefix)))
        let total = places.reduce(0) { $0 + (rows[$1].byteCount ?? 0) }
        for place in places where total > 0 {
          let share = Double(rows[place].byteCount ?? 0) / Double(total)
          rows[place].diskByteCount = Int((onDisk * share).rounded())
        }
      }
    }
  }
}
