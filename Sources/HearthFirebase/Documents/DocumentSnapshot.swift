import Hearth

/// A document at the moment of a read, whether it existed or not.
public class DocumentSnapshot: @unchecked Sendable {
  // No property changes; the compiler can't infer `Sendable` for a class with a subclass.
  /// Reference to the document.
  public let reference: DocumentReference
  let stored: Hearth.DocumentSnapshot

  init(_ stored: Hearth.DocumentSnapshot, in firestore: Firestore) {
    reference = DocumentReference(stored.reference, in: firestore)
    self.stored = stored
  }

  /// Id of the document.
  public var documentID: String { reference.documentID }
  /// Whether the document existed.
  public var exists: Bool { stored.exists }
  /// Metadata of the snapshot, which is never cached or pending.
  public var metadata: SnapshotMetadata { SnapshotMetadata() }

  /// Returns all fields; `nil` if there was no document. A number can be cast to every number type
  /// that can hold it.
  public func data() -> [String: Any]? { dictionary() }

  /// Does the same: no timestamp is ever pending.
  public func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any]? {
    dictionary()
  }

  fileprivate func dictionary() -> [String: Any]? {
    reporting { try stored.data() }?.dictionary(in: reference.firestore)
  }

  /// Returns one field, given as a ``FieldPath`` or as a text whose dots separate the names of
  /// nested maps; `nil` if there is no document or no such field.
  public func get(_ field: Any) -> Any? {
    let value = reporting { () -> Value? in
      let path = try Hearth.FieldPath(
        any: field, refusal: "Subscript key must be a String or FieldPath.")
      guard !path.isDocumentID else { return try .reference(reference.name()) }
      return try stored.value(path)
    }
    return value?.any(in: reference.firestore)
  }

  /// Does the same: no timestamp is ever pending.
  public func get(_ field: Any, serverTimestampBehavior: ServerTimestampBehavior) -> Any? {
    get(field)
  }

  /// The value of a field; `nil` if it is missing.
  public subscript(field: Any) -> Any? { self.get(field) }

  /// Returns the result of a call that can't throw. An error is reported, and the result is `nil`.
  private func reporting<Output>(_ body: () throws -> Output?) -> Output? {
    do {
      return try body()
    } catch {
      reference.firestore.report(error)
      return nil
    }
  }
}

/// A document that a query found, and that therefore exists.
public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {
  /// Returns all fields.
  public override func data() -> [String: Any] { dictionary() ?? [:] }

  /// Does the same: no timestamp is ever pending.
  public override func data(
    with serverTimestampBehavior: ServerTimestampBehavior
  ) -> [String: Any] {
    dictionary() ?? [:]
  }
}
