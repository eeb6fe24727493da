package import HearthDocumentModel
package import HearthStorageFormat

extension StorageKey {
  /// Returns a document's key in the key index of group scope.
  package static func groupName(of path: ResourcePath) -> [UInt8] {
    groupName(collectionID: path.parent.lastSegment ?? "", path: path)
  }
}

extension EntryValue {
  /// Returns the value of a document's keys in the key index: its number, and no flags.
  static func name(of documentNumber: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    append(documentNumber: documentNumber, to: &bytes)
    return bytes
  }
}
