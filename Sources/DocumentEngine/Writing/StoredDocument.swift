import DocumentModel
import StorageFormat

/// A document with its own number and that of its collection, which stand for them in keys.
struct StoredDocument {
  let number: UInt64
  let collectionNumber: UInt64
  let document: Document

  var path: ResourcePath { document.path }
  var fields: MapValue { document.fields }

  /// Returns the document's stored bytes.
  func record(_ own: DatabaseID) -> [UInt8] {
    var bytes: [UInt8] = []
    DocumentRecord.append(document, own: own, to: &bytes)
    return bytes
  }
}
