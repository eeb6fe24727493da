import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// Makes the entries of a scan's targets from the stored bytes of documents. Documents of other
/// groups are passed over.
///
/// If an index has at most one entry for a document, its columns are copied from record to key, and
/// no value is made.
struct BuildEntries: Sendable {
  private let catalog: Catalog
  private var targets: [TargetEntries]
  /// The scopes of the targets, beside them since a look at one then copies little.
  private let scopes: [TargetScope]
  private var lastCollection: LastCollection
  /// The places in the record that is read.
  private var parts = RecordParts()

  init(_ targets: [BuildTarget], in view: ReadView) {
    lastCollection = LastCollection(view: view)
    catalog = view.catalog
    self.targets = targets.map { TargetEntries($0, view.catalog) }
    scopes = targets.map { TargetScope($0, view.catalog) }
  }

  /// Adds the entries that the targets make of a document to `chunk`.
  ///
  /// - Returns: whether the document is in the group of a target.
  /// - Throws: `invalidArgument` for a document that can't be indexed, with
  ///   ``UnindexableDocument``; `dataLoss`.
  mutating func append(
    _ record: RawSpan, _ number: UInt64, to chunk: inout BuildChunk
  ) throws -> Bool {
    var isOfGroup = false
    var isWithinLimits = false
    var document: StoredDocument?
    try parts.readName(of: record)
    for place in targets.indices {
      let scope = scopes[place]
      guard scope.contains(parts, in: record) else { continue }
      if !isOfGroup { try parts.readFields(of: record) }
      isOfGroup = true
      if !isWithinLimits, scope.mayBreakLimits(parts) {
        document = try storedDocument(record, number)
        if let document { try checkLimits(of: document, targets[place].target) }
        isWithinLimits = true
      }
      let entryCount = chunk.puts.entries.count
      if scope.copiesColumns {
        try targets[place].appendCopied(record, parts, number, &lastCollection, to: &chunk.puts)
      } else {
        let known = try document ?? storedDocument(record, number)
        document = known
        targets[place].append(known, catalog, to: &chunk)
      }
      chunk.tallies[place].documentCount += 1
      chunk.tallies[place].entryCount += chunk.puts.entries.count - entryCount
    }
    return isOfGroup
  }

  private func storedDocument(_ record: RawSpan, _ number: UInt64) throws -> StoredDocument {
    let document = try DocumentRecord(record, own: catalog.databaseID).document()
    return StoredDocument(
      number: number, collectionNumber: try lastCollection.number(of: document.path.parent),
      document: document)
  }

  /// Throws if the document may not have its present entries and the new ones together. A document
  /// with too many entries could never be written again.
  private func checkLimits(
    of document: StoredDocument, _ target: BuildTarget
  ) throws(DatabaseError) {
    do {
      _ = try IndexEntries(of: document, catalog: catalog).checkedList()
    } catch {
      let blamed = catalog.targetsToBlame(for: document, in: target.collectionGroup)
      throw DatabaseError(
        error.code, "\(document.path): \(error.message)",
        details: UnindexableDocument(blamed: blamed.isEmpty ? [target.name] : blamed),
        cause: error)
    }
  }
}

/// Looks up the numbers of collections. Remembers the last one, since documents of one collection
/// often come in a row.
private struct LastCollection: Sendable {
  private let view: ReadView
  /// The collection that was looked up last, encoded as in a record.
  private var parent: [UInt8] = []
  private var number: UInt64 = 0

  init(view: ReadView) {
    self.view = view
  }

  /// Returns the number of the collection of the document with these parts.
  mutating func number(_ parts: borrowing RecordParts, in record: RawSpan) throws -> UInt64 {
    let parent = parts.parent(in: record)
    guard self.parent.span.bytes.compare(parent) != .equal else { return number }
    number = try number(of: parts.parentPath(in: record))
    self.parent = [UInt8](copying: parent)
    return number
  }

  func number(of collection: ResourcePath) throws -> UInt64 {
    guard let number = try view.collectionNumber(of: collection) else {
      throw DatabaseError.damaged("The collection \(collection) has no number.")
    }
    return number
  }
}

/// The documents of which a target makes entries.
private struct TargetScope: Sendable {
  /// Whether the columns of entries are copied from the record.
  let copiesColumns: Bool
  private let group: FieldName.Mark
  /// The bytes of the collection id if the mark doesn't hold it whole; otherwise empty, so that the
  /// threads of a build don't count references to the same memory.
  private let longGroup: [UInt8]
  /// The largest number of values that can't break a limit of §1.2.
  private let valueCountLimit: Int
  /// The largest number of bytes in a name that can't break a limit of §1.2.
  private let pathByteCountLimit: Int

  init(_ target: BuildTarget, _ catalog: Catalog) {
    copiesColumns = target.copiedColumns != nil
    group = FieldName(target.collectionGroup).mark
    longGroup = group.isWhole ? [] : Array(target.collectionGroup.utf8)
    valueCountLimit = target.addsCountedEntries ? catalog.valueCountLimit : .max
    pathByteCountLimit = target.addsCountedEntries ? target.pathByteCountLimit : .max
  }

  /// Whether the document with these parts is in the target's group.
  func contains(_ parts: borrowing RecordParts, in record: RawSpan) -> Bool {
    let id = parts.collectionID(in: record)
    return group.isWhole
      ? FieldName.Mark(id) == group : id.compare(longGroup.span.bytes) == .equal
  }

  /// Whether the document with these parts may exceed its limits with the new entries.
  func mayBreakLimits(_ parts: borrowing RecordParts) -> Bool {
    parts.valueCount > valueCountLimit || parts.pathByteCount > pathByteCountLimit
  }
}

/// Makes the entries of one target.
private struct TargetEntries: Sendable {
  let target: BuildTarget
  /// The columns, if they can be copied.
  private var columns: RecordColumns
  private let isGroup: Bool
  private let compositeID: UInt64?
  private let order: ColumnOrder
  private let carriesRecords: Bool

  init(_ target: BuildTarget, _ catalog: Catalog) {
    self.target = target
    columns = RecordColumns(target.copiedColumns ?? [], own: catalog.databaseID)
    let composite = target.composite
    compositeID = composite?.id
    isGroup = composite?.definition.scope == .collectionGroup
    order = ColumnOrder(composite?.definition.columns.last?.mode ?? .ascending)
    carriesRecords = composite.map { catalog.tunings.writesRecords(ofIndex: $0.id) } ?? false
  }

  /// Adds the entry of the document with these parts, if the document has every column.
  mutating func appendCopied(
    _ record: RawSpan, _ parts: borrowing RecordParts, _ number: UInt64,
    _ lastCollection: inout LastCollection, to run: inout EntryRun
  ) throws {
    guard let id = compositeID, try columns.find(among: parts, in: record) else { return }
    let collection = isGroup ? nil : try lastCollection.number(parts, in: record)
    try run.append(of: number) { bytes throws(CorruptBytes) in
      StorageKey.appendCompositePrefix(id: id, collection: collection, to: &bytes)
      try columns.append(in: record, to: &bytes)
      if isGroup {
        try parts.appendPath(in: record, order, to: &bytes)
      } else {
        try parts.appendID(in: record, order, to: &bytes)
      }
      let keyEnd = bytes.count
      EntryValue.append(
        documentNumber: number, flags: columns.flags,
        record: carriesRecords ? [UInt8](copying: record) : [], to: &bytes)
      return keyEnd
    }
  }

  func append(_ document: StoredDocument, _ catalog: Catalog, to chunk: inout BuildChunk) {
    func entries(_ selection: EntrySelection) -> EntryList {
      IndexEntries(of: document, catalog: catalog, selection).list()
    }
    switch target {
    case .index(let index), .covering(let index, _):
      chunk.puts.append(entries(.composite(index)), of: document.number)
    case .timeToLive(let policy):
      chunk.puts.append(entries(.composite(policy.index)), of: document.number)
    case .override(let override, let building, let retiring):
      let name = OverrideName(override)
      chunk.puts.append(entries(.governed(by: name, building)), of: document.number)
      chunk.deletes.append(entries(.governed(by: name, retiring)), of: document.number)
    }
  }
}

extension Catalog {
  /// The largest number of values whose entries together stay within the limit of a document. No
  /// entry of a stored document exceeds the limit of one entry, so a few entries are always within
  /// the limit of all.
  fileprivate var valueCountLimit: Int {
    let entriesPerValue = indexes.composites.count + 4
    return Limits.indexEntriesByteCount / Limits.indexEntryByteCount / entriesPerValue
  }
}

extension BuildTarget {
  /// The columns before the name; `nil` if the index can have several entries for a document, or a
  /// key that holds more than columns.
  fileprivate var copiedColumns: [(field: FieldPath, order: ColumnOrder)]? {
    guard let composite, composite.definition.vector == nil else { return nil }
    let columns = composite.definition.columns.dropLast()
    guard columns.allSatisfy({ $0.mode != .contains }) else { return nil }
    return columns.map { ($0.field, ColumnOrder($0.mode)) }
  }

  /// The longest path that can't make a new entry too large for any values. An entry has the
  /// document's name, its parent's, and 1,500 bytes for each value (§1.3).
  fileprivate var pathByteCountLimit: Int {
    switch self {
    case .index(let index):
      let valueCount = index.definition.columns.count + (index.definition.vector == nil ? 0 : 1)
      let names =
        Limits.indexEntryByteCount - valueCount * Limits.indexedValueByteCount - 32
      return names / 2 - 16
    case .covering, .timeToLive: return .max
    // The paths of fields in maps have no limit of their own.
    case .override: return -1
    }
  }
}
