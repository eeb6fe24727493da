import Workbench

/// Returns the readers of a SQLite store that are compared; the first is the baseline.
func makeReaders(_ store: SQLiteStore) throws -> [any Reader] {
  [try SQLiteReader(store, parses: true), try SQLiteReader(store, parses: false)]
}

/// Returns the readers of a layout that are compared.
func makeReaders(_ store: LayoutStore) throws -> [any Reader] {
  switch store.layout {
  case .names: [LayoutReader(store, .get), LayoutReader(store, .cursor)]
  // Cold it reads as `names` does, and with a cache as `numbers` does.
  case .namesNumbered: [LayoutReader(store, .cursor)]
  case .numbers:
    [
      LayoutReader(store, .get), LayoutReader(store, .cursor),
      LayoutReader(store, .cursor, decodes: false),
      LayoutReader(store, .cache, cache: try allDocuments(of: store)),
      LayoutReader(store, .none),
    ]
  case .covering: [LayoutReader(store, .entry)]
  case .numbersInKey: [LayoutReader(store, .cursor)]
  }
}

/// Returns all documents by number.
private func allDocuments(of store: LayoutStore) throws -> [SampleDocument?] {
  var documents: [SampleDocument?] = [nil]
  let first = store.documentKey(number: 1)
  let cursor = LevelCursor(store.database)
  cursor.seek(to: first)
  while cursor.isValid, cursor.key.begins(with: [KeyPrefix.documentByNumber.rawValue]) {
    documents.append(try TaskRecord.decode(cursor.value))
    cursor.next()
  }
  try cursor.throwIfFailed()
  return documents
}
