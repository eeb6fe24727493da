import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// Makes the entries of one build from the stored bytes of documents, those of other groups passed
/// over.
///
/// Where an index has one entry of a document at most, its columns are copied from record to key,
/// and no value is made.
struct BuildEntries {
  private let target: IndexBuilder.Target
  private let view: ReadView
  private let catalog: Catalog
  private let group: [UInt8]
  /// Finds the columns, where they can be copied; otherwise the name alone.
  private var columns: RecordColumns
  private let copiesColumns: Bool
  /// The most values and bytes of names with which no limit of §1.2 can be broken.
  private let valueCountLimit: Int
  private let pathByteCountLimit: Int
  /// The collection of the last document.
  private var parent: [UInt8] = []
  private var collectionNumber: UInt64 = 0
  private var flags: [ColumnFlags] = []

  init(_ target: IndexBuilder.Target, in view: ReadView, _ catalog: Catalog) {
    self.target = target
    self.view = view
    self.catalog = catalog
    group = Array(target.collectionGroup.utf8)
    let copied = target.copiedColumns
    copiesColumns = copied != nil
    columns = RecordColumns(copied ?? [], own: catalog.databaseID)
    // A document that is stored has no entry above the limit of one, so that few enough of them
    // are within the limit of all.
    let entriesPerValue = catalog.indexes.composites.count + 4
    valueCountLimit = Limits.indexEntriesByteCount / Limits.indexEntryByteCount / entriesPerValue
    pathByteCountLimit = target.pathByteCountLimit
  }

  /// Adds what the build makes of a document to `chunk`.
  ///
  /// - Returns: whether the document is of the group.
  /// - Throws: `invalidArgument` for one that can't be indexed; `dataLoss`.
  mutating func append(
    _ record: RawSpan, _ number: UInt64, to chunk: inout BuildChunk
  ) throws -> Bool {
    let group = group
    guard try columns.read(record, ofGroup: group.span.bytes) else { return false }
    if mayBreakLimits {
      try checkLimits(of: storedDocument(record, number))
    }
    if copiesColumns, case .composite(let index) = target {
      try append(index, record, number, to: &chunk)
    } else {
      append(try storedDocument(record, number), to: &chunk)
    }
    return true
  }

  private var mayBreakLimits: Bool {
    columns.valueCount > valueCountLimit || columns.pathByteCount > pathByteCountLimit
  }

  private mutating func append(
    _ index: CompositeIndex, _ record: RawSpan, _ number: UInt64, to chunk: inout BuildChunk
  ) throws {
    guard columns.hasAll else { return }
    let isGroup = index.definition.scope == .collectionGroup
    let collection = isGroup ? nil : try lookedUpNumber(ofCollectionIn: record)
    let order = ColumnOrder(index.definition.columns.last?.mode ?? .ascending)
    let covers = catalog.tunings.writesRecords(ofIndex: index.id)
    flags.removeAll(keepingCapacity: true)
    try chunk.puts.append(of: number) { bytes throws(CorruptBytes) in
      StorageKey.appendCompositePrefix(id: index.id, collection: collection, to: &bytes)
      try columns.append(in: record, to: &bytes, flags: &flags)
      if isGroup {
        try columns.appendPath(in: record, order, to: &bytes)
      } else {
        try columns.appendID(in: record, order, to: &bytes)
      }
      let keyEnd = bytes.count
      EntryValue.append(
        documentNumber: number, flags: flags, record: covers ? [UInt8](copying: record) : [],
        to: &bytes)
      return keyEnd
    }
  }

  private mutating func lookedUpNumber(ofCollectionIn record: RawSpan) throws -> UInt64 {
    let parent = columns.parent(in: record)
    guard self.parent.span.bytes.compare(parent) != .equal else { return collectionNumber }
    let number = try lookedUpNumber(of: columns.parentPath(in: record))
    self.parent = [UInt8](copying: parent)
    collectionNumber = number
    return number
  }

  private func lookedUpNumber(of collection: ResourcePath) throws -> UInt64 {
    guard let number = try view.collectionNumber(of: collection) else {
      throw DatabaseError.damaged("The collection \(collection) has no number.")
    }
    return number
  }

  // MARK: Whole documents

  private func storedDocument(_ record: RawSpan, _ number: UInt64) throws -> StoredDocument {
    let document = try DocumentRecord([UInt8](copying: record), own: catalog.databaseID).document()
    return StoredDocument(
      number: number, collectionNumber: try lookedUpNumber(of: document.path.parent),
      document: document)
  }

  private func append(_ document: StoredDocument, to chunk: inout BuildChunk) {
    func entries(_ selection: EntrySelection) -> EntryList {
      IndexEntries(of: document, catalog: catalog, selection).list()
    }
    switch target {
    case .composite(let index):
      chunk.puts.append(entries(.composite(index)), of: document.number)
    case .override(let override, let building, let retiring):
      let name = OverrideName(override)
      chunk.puts.append(entries(.governed(by: name, building)), of: document.number)
      chunk.deletes.append(entries(.governed(by: name, retiring)), of: document.number)
    }
  }

  /// Whether the document may have its present entries and the new ones together: a document that
  /// had too many could never be written again.
  private func checkLimits(of document: StoredDocument) throws(DatabaseError) {
    do {
      _ = try IndexEntries(of: document, catalog: catalog).checkedList()
    } catch {
      throw DatabaseError(error.code, "\(document.path): \(error.message)", cause: error)
    }
  }
}

extension IndexBuilder.Target {
  /// The columns before the name of an index that has one entry of a document at most, with a key
  /// that is nothing but columns.
  fileprivate var copiedColumns: [(field: FieldPath, order: ColumnOrder)]? {
    guard case .composite(let index) = self, index.definition.vector == nil else { return nil }
    let columns = index.definition.columns.dropLast()
    guard columns.allSatisfy({ $0.mode != .contains }) else { return nil }
    return columns.map { ($0.field, ColumnOrder($0.mode)) }
  }

  /// The longest path with which no new entry can be larger than allowed, whatever the values: the
  /// document's name and its parent's count, and 1,500 bytes of each value (§1.3).
  fileprivate var pathByteCountLimit: Int {
    switch self {
    case .composite(let index):
      let valueCount = index.definition.columns.count + (index.definition.vector == nil ? 0 : 1)
      let names =
        Limits.indexEntryByteCount - valueCount * Limits.indexedValueByteCount - 32
      return names / 2 - 16
    // The paths of fields in maps have no limit of their own.
    case .override(_, let building, _): return building.isEmpty ? .max : -1
    }
  }
}
