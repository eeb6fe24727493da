import Hearth
import Synchronization

/// The reads and writes of a transaction's closure. All reads come before the first write, and see
/// the database at one moment (§7.4).
public final class Transaction: Sendable {
  private let firestore: Firestore
  private let stored: TransactionRequests
  /// First error of a write, as calls that write don't throw.
  private let failure = Mutex<(any Error)?>(nil)

  init(_ stored: TransactionRequests, in firestore: Firestore) {
    self.stored = stored
    self.firestore = firestore
  }

  /// Returns a document, whether it exists or not.
  ///
  /// - Throws: an error of ``FirestoreErrorDomain``, such as that of a read after a write.
  public func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot {
    try firestore.outcome {
      DocumentSnapshot(try stored.getDocument(document.target.get()), in: firestore)
    }.get()
  }

  /// Creates a document or replaces it.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference
  ) -> Transaction {
    write(to: document) { try .set(data, merge: false) }
  }

  /// Creates a document or replaces it. With `merge`, the data is merged into the document (§7.1).
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, merge: Bool
  ) -> Transaction {
    write(to: document) { try .set(data, merge: merge) }
  }

  /// Creates a document or merges some of the data's fields into it.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
  ) -> Transaction {
    write(to: document) { try .set(data, mergeFields: mergeFields) }
  }

  /// Changes single fields of an existing document.
  @discardableResult
  public func updateData(
    _ fields: [AnyHashable: Any], forDocument document: DocumentReference
  ) -> Transaction {
    write(to: document) { try .update(fields) }
  }

  /// Deletes a document, if there is one.
  @discardableResult
  public func deleteDocument(_ document: DocumentReference) -> Transaction {
    write(to: document) { .delete }
  }

  @discardableResult
  func write(
    to document: DocumentReference, _ write: () throws -> DocumentWrite
  ) -> Transaction {
    do {
      let (write, document) = (try write(), try document.target.get())
      try stored.write(document) { $0.append(write, for: document) }
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
    return self
  }

  /// Checks that no write had an error.
  ///
  /// - Throws: the first error of a write.
  func checkWrites() throws {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

extension Transaction {
  /// Creates a document from `value`, or replaces it.
  ///
  /// - Throws: `EncodingError` for a value that no document can hold.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> Transaction {
    let data = try encoder.data(value)
    return write(to: document) { .set(data, merge: false) }
  }

  /// Creates a document from `value`, or replaces it. With `merge`, the fields of `value` are
  /// merged into the document (§7.1).
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, merge: Bool,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> Transaction {
    let data = try encoder.data(value)
    return write(to: document) { .set(data, merge: merge) }
  }

  /// Creates a document or merges some of the fields of `value` into it.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, mergeFields: [Any],
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> Transaction {
    let data = try encoder.data(value)
    return write(to: document) { .setFields(data, try DocumentWrite.fields(mergeFields)) }
  }
}
