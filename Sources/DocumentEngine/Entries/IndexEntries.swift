package import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// Makes the index entries of one document (§3.2, §3.5).
package struct IndexEntries {
  private let selection: EntrySelection
  /// The fields to make entries for; `nil` for all.
  private let fields: ChangedFields?
  private let indexes: CollectionIndexes
  private let encoder: ValueEncoder
  private let document: StoredDocument
  private let collectionID: String
  private let id: String
  private let size: IndexEntrySize
  /// The document's record, if a covering index needs it.
  private let record: [UInt8]

  /// Prepares the entries of all fields of `document`, in the indexes of `selection`.
  package init(
    of document: StoredDocument, catalog: Catalog, _ selection: EntrySelection = .maintained
  ) {
    self.init(of: document, catalog: catalog, selection, changed: nil)
  }

  /// - Parameter fields: the fields to make entries for, in all indexes; `nil` for all.
  init(
    of document: StoredDocument, catalog: Catalog, _ selection: EntrySelection = .maintained,
    changed fields: ChangedFields?
  ) {
    self.selection = selection
    self.fields = fields
    self.document = document
    encoder = ValueEncoder(own: catalog.databaseID)
    collectionID = document.path.collectionID ?? ""
    id = document.path.lastSegment ?? ""
    indexes = catalog.indexes(of: collectionID)
    size = IndexEntrySize(of: document.path)
    record =
      indexes.coversDocuments
      ? document.record(
        catalog.databaseID, storageByteCount: document.document.storageByteCount) : []
  }

  /// Returns the entries of a document that is to be written.
  ///
  /// - Throws: `invalidArgument` if they are more or larger than §1.2 allows.
  package func checkedList() throws(DatabaseError) -> EntryList {
    let list = list()
    try checkLimits(list.logicalSize)
    return list
  }

  /// Returns the entries, each key once.
  package func list() -> EntryList {
    var list = EntryList(
      reserving: indexes.composites.count
        + (indexes.rules.exemptAll ? 0 : 2 * document.fields.count))
    switch selection {
    case .maintained, .present, .complete:
      appendAutomatic(to: &list)
      appendComposites(to: &list)
    case .composite(let index):
      let alone = CollectionIndexes([index], indexes.rules, indexes.tunings)
      var columns = EncodedColumns(document.fields, id: id, alone, encoder)
      for composite in alone.composites { append(composite, &columns, to: &list) }
    case .governed: appendAutomatic(to: &list)
    }
    return list
  }

  private func appendComposites(to list: inout EntryList) {
    guard !indexes.composites.isEmpty else { return }
    var columns = EncodedColumns(document.fields, id: id, indexes, encoder)
    guard let fields else {
      for composite in indexes.composites where isSelected(composite) {
        append(composite, &columns, to: &list)
      }
      return
    }
    for place in indexes.composites(touchedBy: fields) where isSelected(indexes.composites[place]) {
      append(indexes.composites[place], &columns, to: &list)
    }
  }

  private func isSelected(_ composite: CollectionIndexes.Composite) -> Bool {
    if case .complete = selection { composite.index.state == .ready } else { true }
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
    let rules = indexes.rules
    guard !rules.exemptAll else { return }
    for (name, value) in document.fields where fields?.contains(name) ?? true {
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
    case .array(let elements) where !indexing.spaces.isDisjoint(with: .contains):
      let start = list.count
      for element in elements { append(field, element, .contains, indexing, to: &list) }
      list.removeDuplicates(from: start)
    default: break
    }
  }

  /// Appends the entries of one value in both scopes.
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
      list.append(EntryList.LogicalSize(count: count, byteCount: byteCount)) { bytes in
        StorageKey.appendAutomaticPrefix(
          collection: document.collectionNumber, kind: kind, field: field, to: &bytes)
        let flags = append(value, to: &bytes)
        OrderedName.append(documentID: id, .ascending, to: &bytes)
        return appendValue(flags, to: &bytes)
      }
    }
    if !spaces.isDisjoint(with: .group) {
      let count = indexing.logicalCount(kind, .collectionGroup)
      let byteCount = size.automatic(field, valueByteCount: valueByteCount, isGroup: true)
      list.append(EntryList.LogicalSize(count: count, byteCount: byteCount)) { bytes in
        StorageKey.appendGroupAutomaticPrefix(
          collectionID: collectionID, kind: kind, field: field, to: &bytes)
        let flags = append(value, to: &bytes)
        OrderedName.append(path: document.path, .ascending, to: &bytes)
        return appendValue(flags, to: &bytes)
      }
    }
  }

  /// Appends a value in ascending order and returns its flags.
  private func append(_ value: Value, to bytes: inout [UInt8]) -> ColumnFlags {
    let isCut = encoder.append(value, .ascending, to: &bytes)
    return ColumnFlags(value, isCut: isCut)
  }

  /// Appends the value that follows a key. Returns the end of the key.
  private func appendValue(_ flags: ColumnFlags, to bytes: inout [UInt8]) -> Int {
    let keyEnd = bytes.count
    EntryValue.append(
      documentNumber: document.number, flags: flags == .none ? [] : [flags], to: &bytes)
    return keyEnd
  }

  // MARK: Composite indexes

  /// Appends one entry, or one for each distinct element if a column holds an array's elements.
  /// Appends none if a field is missing or the vector has another dimension (§3.5).
  private func append(
    _ composite: CollectionIndexes.Composite, _ columns: inout EncodedColumns,
    to list: inout EntryList
  ) {
    guard let vector = vector(in: composite.index.definition) else { return }
    var byteCount = vector.isEmpty ? 0 : Value.vector(vector).indexedByteCount
    for position in composite.columns.indices where position != composite.elementColumn {
      guard let count = columns.byteCount(composite.columns[position]) else { return }
      byteCount += count
    }
    guard let elementColumn = composite.elementColumn else {
      return append(composite, &columns, nil, vector, byteCount, to: &list)
    }
    guard case .array(let elements) = columns.value(composite.columns[elementColumn]) else {
      return
    }
    let start = list.count
    for element in elements {
      append(
        composite, &columns, element, vector, byteCount + element.indexedByteCount, to: &list)
    }
    list.removeDuplicates(from: start)
  }

  /// Returns the document's vector in an index; empty if the index holds no vectors, `nil` if it
  /// has no entry for the document.
  private func vector(in index: IndexDefinition) -> [Double]? {
    guard let column = index.vector else { return [] }
    guard case .vector(let elements) = document.fields[column.field],
      elements.count == column.dimension
    else { return nil }
    return elements
  }

  /// - Parameters:
  ///   - element: the value in the array column; `nil` if there is no such column.
  ///   - valueByteCount: the size that all values count for together (§1.3).
  private func append(
    _ composite: CollectionIndexes.Composite, _ columns: inout EncodedColumns,
    _ element: Value?, _ vector: [Double], _ valueByteCount: Int, to list: inout EntryList
  ) {
    let isGroup = composite.isGroup
    let byteCount = size.composite(valueByteCount: valueByteCount, isGroup: isGroup)
    let logicalSize =
      composite.countsForLimits
      ? EntryList.LogicalSize(count: 1, byteCount: byteCount)
      : EntryList.LogicalSize(count: 0, byteCount: 0)
    list.append(logicalSize) { bytes in
      StorageKey.appendCompositePrefix(
        id: composite.index.id, collection: isGroup ? nil : document.collectionNumber, to: &bytes)
      var flags: [ColumnFlags] = []
      for position in composite.columns.indices {
        let column = composite.columns[position]
        if position == composite.elementColumn, let element {
          flags.add(columns.append(element, of: column, to: &bytes), at: position)
        } else {
          flags.add(columns.append(column, to: &bytes), at: position)
        }
      }
      if isGroup {
        OrderedName.append(path: document.path, composite.nameOrder, to: &bytes)
      } else {
        columns.appendID(composite.nameOrder, to: &bytes)
      }
      let keyEnd = bytes.count
      EntryValue.append(
        documentNumber: document.number, flags: flags, vector: vector,
        record: composite.coversDocuments ? record : [], to: &bytes)
      return keyEnd
    }
  }
}
