import DocumentModel
import QueryPlanning
import StorageFormat

/// Which indexes entries are made for.
enum EntrySelection {
  /// All that are maintained.
  case maintained
  /// As `maintained`, and what an override is giving up: to delete the entries of an old document.
  case present
  /// As `maintained`, without what is still being built: those that a document must have.
  case complete
  /// One composite index.
  case composite(CompositeIndex)
  /// The given spaces of the fields that one override governs.
  case governed(by: OverrideName, AutomaticSpaces)
}

/// Makes the index entries of one document (§3.2, §3.5).
struct IndexEntries {
  private let catalog: Catalog
  private let selection: EntrySelection
  private let encoder: ValueEncoder
  private let document: StoredDocument
  private let collectionID: String
  private let id: String
  private let size: IndexEntrySize

  init(of document: StoredDocument, catalog: Catalog, _ selection: EntrySelection = .maintained) {
    self.catalog = catalog
    self.selection = selection
    self.document = document
    encoder = ValueEncoder(own: catalog.databaseID)
    collectionID = document.path.parent.lastSegment ?? ""
    id = document.path.lastSegment ?? ""
    size = IndexEntrySize(of: document.path)
  }

  /// The entries, sorted by key, of a document that is about to have them.
  ///
  /// - Throws: `invalidArgument` where they are more or larger than §1.2 allows.
  func checkedList() throws(DatabaseError) -> EntryList {
    let list = list()
    try checkLimits(list.logicalSize)
    return list
  }

  /// The entries, sorted by key.
  func list() -> EntryList {
    var list = EntryList()
    switch selection {
    case .maintained, .present, .complete:
      appendAutomatic(to: &list)
      for index in catalog.composites(of: collectionID) where isSelected(index) {
        append(index, to: &list)
      }
    case .composite(let index): append(index, to: &list)
    case .governed: appendAutomatic(to: &list)
    }
    list.normalize()
    return list
  }

  private func isSelected(_ index: CompositeIndex) -> Bool {
    if case .complete = selection { index.state == .ready } else { true }
  }

  private func checkLimits(_ size: EntryList.TotalSize) throws(DatabaseError) {
    guard size.largestByteCount <= Limits.indexEntryByteCount else {
      throw .invalidArgument("Index entry is too large.")
    }
    guard size.count <= Limits.indexEntriesPerDocument else {
      throw .invalidArgument("too many index entries for entity /\(document.path)")
    }
    guard size.byteCount <= Limits.indexEntriesByteCount else {
      throw .invalidArgument(
        "The index entries of entity /\(document.path) are larger than "
          + "\(Limits.indexEntriesByteCount) bytes together.")
    }
  }

  // MARK: Automatic indexes

  private func appendAutomatic(to list: inout EntryList) {
    let rules = catalog.automaticRules(of: collectionID)
    for (name, value) in document.fields {
      append(FieldPath(unchecked: [name]), value, rules, to: &list)
    }
  }

  private func append(
    _ field: FieldPath, _ value: Value, _ rules: AutomaticRules, to list: inout EntryList
  ) {
    let indexing = rules.indexing(of: field, selection)
    append(field, value, .ordered, indexing, to: &list)
    switch value {
    case .map(let map):
      for (name, value) in map {
        append(field.appending(unchecked: name), value, rules, to: &list)
      }
    case .array(let elements):
      for element in elements { append(field, element, .contains, indexing, to: &list) }
    default: break
    }
  }

  /// The entries of one value, in both scopes.
  private func append(
    _ field: FieldPath, _ value: Value, _ kind: StorageKey.AutomaticKind,
    _ indexing: AutomaticIndexing,
    to list: inout EntryList
  ) {
    let spaces = indexing.spaces.intersection(kind == .contains ? .contains : .ordered)
    let valueByteCount = value.indexedByteCount
    if !spaces.isDisjoint(with: .collection) {
      let count = indexing.logicalCount(kind, .collection)
      let byteCount = size.automatic(field, valueByteCount: valueByteCount, isGroup: false)
      append(count, byteCount, to: &list) { bytes in
        StorageKey.appendAutomaticPrefix(
          collection: document.collectionNumber, kind: kind, field: field, to: &bytes)
        let flags = append(value, .ascending, to: &bytes)
        OrderedName.append(documentID: id, .ascending, to: &bytes)
        return [flags]
      }
    }
    if !spaces.isDisjoint(with: .group) {
      let count = indexing.logicalCount(kind, .collectionGroup)
      let byteCount = size.automatic(field, valueByteCount: valueByteCount, isGroup: true)
      append(count, byteCount, to: &list) { bytes in
        StorageKey.appendGroupAutomaticPrefix(
          collectionID: collectionID, kind: kind, field: field, to: &bytes)
        let flags = append(value, .ascending, to: &bytes)
        OrderedName.append(path: document.path, .ascending, to: &bytes)
        return [flags]
      }
    }
  }

  // MARK: Composite indexes

  /// One entry; one per distinct element where a column holds an array's elements; none where a
  /// field is missing, or the vector has another dimension (§3.5).
  private func append(_ index: CompositeIndex, to list: inout EntryList) {
    guard let vector = vector(in: index.definition) else { return }
    var values: [Value] = []
    var elements: (column: Int, values: [Value])?
    for (column, definition) in index.definition.columns.dropLast().enumerated() {
      guard let value = document.fields[definition.field] else { return }
      values.append(value)
      guard definition.mode == .contains else { continue }
      guard case .array(let array) = value else { return }
      elements = (column, array)
    }
    guard let elements else { return append(index, values, vector, to: &list) }
    for element in elements.values {
      values[elements.column] = element
      append(index, values, vector, to: &list)
    }
  }

  /// The vector that an index holds of the document; empty if it holds none of any document, `nil`
  /// if it has no entry for this one.
  private func vector(in index: IndexDefinition) -> [Double]? {
    guard let column = index.vector else { return [] }
    guard case .vector(let elements) = document.fields[column.field],
      elements.count == column.dimension
    else { return nil }
    return elements
  }

  private func append(
    _ index: CompositeIndex, _ values: [Value], _ vector: [Double], to list: inout EntryList
  ) {
    let isGroup = index.definition.scope == .collectionGroup
    let valueByteCount = values.reduce(Value.vector(vector).indexedByteCount) {
      $0 + $1.indexedByteCount
    }
    let byteCount = size.composite(valueByteCount: valueByteCount, isGroup: isGroup)
    let columns = index.definition.columns
    append(1, byteCount, vector: vector, to: &list) { bytes in
      StorageKey.appendCompositePrefix(
        id: index.id, collection: isGroup ? nil : document.collectionNumber, to: &bytes)
      let flags = zip(values, columns).map { value, column in
        append(value, ColumnOrder(column.mode), to: &bytes)
      }
      let order = ColumnOrder(columns.last?.mode ?? .ascending)
      if isGroup {
        OrderedName.append(path: document.path, order, to: &bytes)
      } else {
        OrderedName.append(documentID: id, order, to: &bytes)
      }
      return flags
    }
  }

  // MARK: Bytes

  private func append(
    _ count: Int, _ byteCount: Int, vector: [Double] = [], to list: inout EntryList,
    key: (inout [UInt8]) -> [ColumnFlags]
  ) {
    list.append(EntryList.LogicalSize(count: count, byteCount: byteCount), key: key) {
      EntryValue.append(
        documentNumber: document.number, flags: $0, vector: vector, to: &$1)
    }
  }

  private func append(
    _ value: Value, _ order: ColumnOrder, to bytes: inout [UInt8]
  ) -> ColumnFlags {
    let isCut = encoder.append(value, order, to: &bytes)
    return ColumnFlags(value, isCut: isCut)
  }
}

extension ColumnOrder {
  init(_ mode: IndexMode) {
    self = mode == .descending ? .descending : .ascending
  }
}
