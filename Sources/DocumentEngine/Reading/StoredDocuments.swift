import DocumentModel
import OrderedStore
import StorageFormat

/// Finds stored documents by name, in one snapshot.
struct StoredDocuments {
  struct Located {
    let number: UInt64
    let record: DocumentRecord
  }

  private let snapshot: any StoreSnapshot
  private let own: DatabaseID
  private let collectionNumber: (ResourcePath) throws -> UInt64?

  init(_ view: ReadView) {
    snapshot = view.snapshot
    own = view.databaseID
    collectionNumber = view.collectionNumber
  }

  func located(_ path: ResourcePath) throws -> Located? {
    guard let id = path.lastSegment, let collection = try collectionNumber(path.parent) else {
      return nil
    }
    let name = StorageKey.name(collection: collection, id: id)
    guard let bytes = try snapshot.value(of: name) else { return nil }
    let number = try EntryValue.read(bytes.span.bytes).documentNumber
    guard let record = try snapshot.value(of: StorageKey.document(number)) else {
      throw DatabaseError.damaged("\(path) is document \(number), which is not there.")
    }
    return Located(number: number, record: try DocumentRecord(record, own: own))
  }
}
