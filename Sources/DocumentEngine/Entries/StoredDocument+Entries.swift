import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

extension StoredDocument {
  /// Returns every key and value that the document must have in the indexes: its names and the
  /// entries of `selection`.
  package func expectedEntries(
    _ catalog: Catalog, _ selection: EntrySelection
  ) -> [(key: [UInt8], value: [UInt8])] {
    var entries: [(key: [UInt8], value: [UInt8])] = []
    forEachExpectedEntry(catalog, selection) { key, value in
      entries.append(([UInt8](copying: key), [UInt8](copying: value)))
    }
    return entries
  }

  /// Calls `body` with each expected key and value. The spans are valid during the call.
  package func forEachExpectedEntry<Failure: Error>(
    _ catalog: Catalog, _ selection: EntrySelection,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let name = StorageKey.name(collection: collectionNumber, id: path.lastSegment ?? "")
    var value: [UInt8] = []
    EntryValue.appendName(documentNumber: number, to: &value)
    try body(name.span.bytes, value.span.bytes)
    let groupValue = EntryValue.groupName(of: number)
    try body(StorageKey.groupName(of: path).span.bytes, groupValue.span.bytes)
    let entries = IndexEntries(of: self, catalog: catalog, selection).list()
    for index in 0..<entries.count {
      try body(entries.key(index).span.bytes, entries.value(index).span.bytes)
    }
  }
}
