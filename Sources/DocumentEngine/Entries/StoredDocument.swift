package import HearthDocumentModel
import HearthStorageFormat

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
  func record(_ own: DatabaseID) -> [UInt8] {
    var bytes: [UInt8] = []
    DocumentRecord.append(document, own: own, to: &bytes)
    return bytes
  }
}
