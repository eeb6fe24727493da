import DocumentModel
import StorageFormat

/// A document with the numbers that stand for it and its collection in keys.
struct StoredDocument {
  let number: UInt64
  let collectionNumber: UInt64
  let document: Document

  var path: ResourcePath { document.path }
  var fields: MapValue { document.fields }

  /// The bytes that are stored of it.
  func record(_ own: DatabaseID) -> [UInt8] {
    var bytes: [UInt8] = []
    DocumentRecord.append(document, own: own, to: &bytes)
    return bytes
  }
}
