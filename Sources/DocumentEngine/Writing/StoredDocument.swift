import DocumentModel

/// A document with the numbers that stand for it and its collection in keys.
struct StoredDocument {
  let number: UInt64
  let collectionNumber: UInt64
  let document: Document

  var path: ResourcePath { document.path }
  var fields: MapValue { document.fields }
}
