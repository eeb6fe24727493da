import HearthDocumentModel

/// The change that one commit made to one document. It is one reference, since a commit hands it to
/// derived data, caches and counters.
final class DocumentChange: Sendable {
  let path: ResourcePath
  /// The version before the commit; `nil` if the commit created the document.
  let old: StoredDocument?
  /// The version after the commit; `nil` if the commit deleted the document.
  let new: StoredDocument?
  /// The index entries that the document had and has, each in order. If both versions exist,
  /// entries of fields that didn't change are left out.
  let oldEntries: EntryList
  let newEntries: EntryList
  /// Whether the new entries, and the name in the group, are put later.
  let defersEntries: Bool
  /// The bytes of the new version's record, if they were made before; otherwise `nil`.
  let record: [UInt8]?

  init(
    _ path: ResourcePath, from old: StoredDocument?, _ oldEntries: EntryList = EntryList(),
    to new: StoredDocument?, _ newEntries: EntryList = EntryList(), defersEntries: Bool = false,
    record: [UInt8]? = nil
  ) {
    (self.path, self.old, self.new) = (path, old, new)
    (self.oldEntries, self.newEntries) = (oldEntries, newEntries)
    self.defersEntries = defersEntries
    self.record = record
  }

  /// The document's number, if the commit created it.
  var createdNumber: UInt64? { old == nil ? new?.number : nil }
}
