import HearthDocumentModel

/// The change that one commit made to one document.
struct DocumentChange: Sendable {
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
  var defersEntries = false
  /// The bytes of the new version's record, if they were made before; otherwise `nil`.
  var record: [UInt8]?
}
