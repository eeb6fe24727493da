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
  private let names: NameCache?
  private let documents: DocumentCache?

  init(_ view: ReadView) {
    self.view = view
    names = view.caches.names
    documents = view.caches.documents
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
    // A wrong guess may lead to a damaged document, so errors are left to the look-up by name.
    if let guess = names?.number(of: path), let record = try? record(guess, of: path) {
      return Located(number: guess, record: record)
    }
    guard let id = path.lastSegment,
      let collection = try collectionNumber ?? view.collectionNumber(ofDocument: path)
    else { return nil }
    let name = StorageKey.name(collection: collection, id: id)
    guard let number = try view.read(name.span.bytes, EntryValue.documentNumber) else { return nil }
    guard let record = try record(number) else {
      throw DatabaseError.damaged("\(path) is document \(number), which is not there.")
    }
    names?.insert(number, of: path)
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

  /// - Parameter path: the path that the document must have, for a guessed number.
  /// - Returns: `nil` if there is no document, or one of another path.
  private func record(_ number: UInt64, of path: ResourcePath? = nil) throws -> DocumentRecord? {
    if let record = documents?.record(number, at: view.commitNumber) {
      return isRecord(record, of: path) ? record : nil
    }
    guard let record = try view.storedRecord(number, notingFields: documents != nil),
      isRecord(record, of: path)
    else { return nil }
    documents?.insert(
      CollectionOfOne(.init(record: record, number: number, isDisplacing: true)),
      readAt: view.commitNumber)
    return record
  }

  private func isRecord(_ record: DocumentRecord, of path: ResourcePath?) -> Bool {
    guard let path else { return true }
    return record.isDocument(at: path)
  }
}
