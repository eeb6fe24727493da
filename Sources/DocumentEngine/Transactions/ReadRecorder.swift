import DocumentModel
import OrderedStore
import StorageFormat

/// Records the keys that are read through a view, from any thread.
///
/// Documents are recorded as they are read. Every query checks its reads before its results are
/// used, and is recorded then. Listings and partitions are no part of transactions, and are not
/// recorded.
final class ReadRecorder: Sendable {
  private let reads = Lock(ReadSet())

  func record<Failure>(_ body: (inout ReadSet) throws(Failure) -> Void) throws(Failure) {
    try reads.withLock { reads throws(Failure) in try body(&reads) }
  }

  /// Records the key on which a read of the document at `path` depends.
  ///
  /// The record of a document is put and deleted with its other keys, so it stands for all of them.
  /// A missing document is created under its name. The key of the name has the number of its
  /// collection, which is given with the collection's first document.
  ///
  /// - Parameter number: the document's number; `nil` if there is no document.
  func record(_ path: ResourcePath, _ number: UInt64?, in view: ReadView) throws {
    let key: [UInt8]
    if let number {
      key = StorageKey.document(number)
    } else if let collection = try view.collectionNumber(of: path.parent) {
      key = StorageKey.name(collection: collection, id: path.lastSegment ?? "")
    } else {
      key = StorageKey.collection(path.parent)
    }
    record { $0.insert(key) }
  }

  func merged() -> ReadSet.Merged {
    reads.withLock { $0 }.merged()
  }
}
