package import HearthDocumentModel
package import HearthStorageFormat

/// A document with its own number and that of its collection, which stand for them in keys.
package struct StoredDocument {
  package let number: UInt64
  package let collectionNumber: UInt64
  package let document: Document

  package var path: ResourcePath { document.path }
  package var fields: MapValue { document.fields }

  package init(number: UInt64, collectionNumber: UInt64, document: Document) {
    self.number = number
    self.collectionNumber = collectionNumber
    self.document = document
  }

  /// Returns the document's stored bytes.
  ///
  /// - Parameter storageByteCount: the document's size for limits.
  func record(_ own: DatabaseID, storageByteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    // An estimate, which is enough for most documents: tags and lengths are counted for fields.
    bytes.reserveCapacity(storageByteCount + 4 * fields.count)
    DocumentRecord.append(document, own: own, to: &bytes)
    return bytes
  }

  /// Appends its key in the key index of group scope and then the value. Returns the number of
  /// bytes up to the key's end.
  func appendGroupName(to bytes: inout [UInt8]) -> Int {
    StorageKey.appendGroupName(
      collectionID: path.collectionID ?? "", path: path, to: &bytes)
    let keyEnd = bytes.count
    EntryValue.append(documentNumber: number, to: &bytes)
    return keyEnd
  }
}

extension StorageKey {
  /// Returns a document's key in the key index of group scope.
  package static func groupName(of path: ResourcePath) -> [UInt8] {
    groupName(collectionID: path.collectionID ?? "", path: path)
  }
}

extension EntryValue {
  /// Returns the value of a document's key in the key index of group scope: its number.
  static func groupName(of documentNumber: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    append(documentNumber: documentNumber, to: &bytes)
    return bytes
  }
}
