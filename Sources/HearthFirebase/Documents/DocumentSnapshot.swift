import Hearth

/// A document as it was when it was read, or the fact that there was none.
public class DocumentSnapshot: @unchecked Sendable {
  // Nothing here changes; only a class with a subclass can't be found to be `Sendable`.
  /// The document's place.
  public let reference: DocumentReference
  let stored: Hearth.DocumentSnapshot

  init(_ stored: Hearth.DocumentSnapshot, in firestore: Firestore) {
    reference = DocumentReference(stored.reference, in: firestore)
    self.stored = stored
  }

  /// The document's id.
  public var documentID: String { reference.documentID }
  /// Whether there was a document.
  public var exists: Bool { stored.exists }
  /// Neither cached nor pending.
  public var metadata: SnapshotMetadata { SnapshotMetadata() }

  /// All fields, or `nil` if there was no document. Numbers can be cast to any type of number that
  /// holds them.
  public func data() -> [String: Any]? { dictionary() }

  /// The same: no timestamp is ever pending.
  public func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any]? {
    dictionary()
  }

  fileprivate func dictionary() -> [String: Any]? {
    reporting { try stored.data() }?.dictionary(in: reference.firestore)
  }

  /// One field, by a text whose dots lead into maps or by a ``FieldPath``; `nil` if there is no
  /// document or no such field.
  public func get(_ field: Any) -> Any? {
    let value = reporting { () -> Value? in
      let path = try Hearth.FieldPath(
        any: field, refusal: "Subscript key must be a String or FieldPath.")
      guard !path.isDocumentID else { return try .reference(reference.name()) }
      return try stored.value(path)
    }
    return value?.any(in: reference.firestore)
  }

  /// The same: no timestamp is ever pending.
  public func get(_ field: Any, serverTimestampBehavior: ServerTimestampBehavior) -> Any? {
    get(field)
  }

  /// The value of a field; `nil` if it is missing.
  public subscript(field: Any) -> Any? { self.get(field) }

  /// Result of a call that can't throw; an error is reported, and nothing returned.
  private func reporting<Output>(_ body: () throws -> Output?) -> Output? {
    do {
      return try body()
    } catch {
      reference.firestore.report(error)
      return nil
    }
  }
}

/// A document that a query found: it exists.
public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {
  /// All fields.
  public override func data() -> [String: Any] { dictionary() ?? [:] }

  /// The same: no timestamp is ever pending.
  public override func data(
    with serverTimestampBehavior: ServerTimestampBehavior
  ) -> [String: Any] {
    dictionary() ?? [:]
  }
}
