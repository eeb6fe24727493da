import DocumentModel
import OrderedStore
import StorageFormat

/// Takes down what is read through a view, from any thread.
///
/// Documents record themselves as they are read; a query when its reads are checked, which all do
/// before their answer is used. Listings and partitions are no part of transactions, and are not
/// recorded.
final class ReadRecorder: Sendable {
  private let reads = Lock(ReadSet())

  func record<Failure>(_ body: (inout ReadSet) throws(Failure) -> Void) throws(Failure) {
    try reads.withLock { reads throws(Failure) in try body(&reads) }
  }

  /// Adds what tells whether, and how, there is a document at `path`.
  ///
  /// A document's record goes and comes with its other keys, so that it stands for all of them. One
  /// that is missing is created under its name, whose key takes the number of its collection, which
  /// is given with the first document.
  ///
  /// - Parameter number: the document's, if there is one.
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
