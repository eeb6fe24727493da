import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Finds stored documents by name, in one view.
struct StoredDocuments {
  struct Located {
    let number: UInt64
    let record: DocumentRecord
  }

  /// A document that a write is about: the number of its collection, `nil` if that has never had a
  /// document, and the document as it is stored, `nil` if there is none.
  typealias Found = (collectionNumber: UInt64?, stored: StoredDocument?)

  private let view: ReadView

  init(_ view: ReadView) {
    self.view = view
  }

  /// Returns the document at `path`; `nil` if there is none.
  ///
  /// - Complexity: two point reads; one if the name's number is cached, none if the document is.
  func located(_ path: ResourcePath) throws -> Located? {
    try located(path, inCollection: nil)
  }

  /// Returns the documents at `paths`, in their order, with `nil` for those that don't exist.
  func located(_ paths: [ResourcePath]) throws -> [Located?] {
    try paths.map { try located($0) }
  }

  /// - Parameter collectionNumber: the number of the collection, if it is known.
  func located(
    _ path: ResourcePath, inCollection collectionNumber: UInt64?
  ) throws -> Located? {
    if let guess = view.caches.names?.number(of: path), let record = try record(guess),
      record.isDocument(at: path)
    {
      return Located(number: guess, record: record)
    }
    guard let id = path.lastSegment,
      let collection = try collectionNumber ?? view.collectionNumber(ofDocument: path)
    else { return nil }
    let name = StorageKey.name(collection: collection, id: id)
    guard let number = try view.read(name, EntryValue.documentNumber) else { return nil }
    guard let record = try record(number) else {
      throw DatabaseError.damaged("\(path) is document \(number), which is not there.")
    }
    view.caches.names?.insert(number, of: path)
    return Located(number: number, record: record)
  }

  /// Returns the document at `path` as a whole, with the numbers that its keys have.
  func found(_ path: ResourcePath) throws -> Found {
    guard let number = try view.collectionNumber(ofDocument: path) else { return (nil, nil) }
    let stored = try located(path, inCollection: number).map { located in
      StoredDocument(
        number: located.number, collectionNumber: number, document: try located.record.document())
    }
    return (number, stored)
  }

  private func record(_ number: UInt64) throws -> DocumentRecord? {
    let documents = view.caches.documents
    if let record = documents?.record(number, at: view.commitNumber) { return record }
    let record = try view.storedRecord(number, notingFields: documents != nil)
    guard let record, let documents else { return record }
    documents.insert(
      CollectionOfOne(.init(record: record, number: number, isDisplacing: true)),
      readAt: view.commitNumber)
    return record
  }
}
