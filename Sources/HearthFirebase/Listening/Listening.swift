import Hearth

extension Query {
  /// Calls `listener` with the results as they are now, and again each time they change.
  ///
  /// An error is the last call: for example, an index is missing, or the index in use was dropped.
  @discardableResult
  public func addSnapshotListener(
    _ listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    firestore.listen(
      { try $0.listen(to: self.target.get(), on: $1, begun: $2, $3) },
      { QuerySnapshot($0, of: self) }, listener)
  }

  /// Does the same as without the first parameter: metadata never changes here.
  @discardableResult
  public func addSnapshotListener(
    includeMetadataChanges: Bool,
    listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(listener)
  }
}

extension DocumentReference {
  /// Calls `listener` with the document as it is now, and again each time it is created, changed or
  /// deleted. An error is the last call.
  @discardableResult
  public func addSnapshotListener(
    _ listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    firestore.listen(
      { try $0.listen(to: self.target.get(), on: $1, begun: $2, $3) },
      { [firestore] in DocumentSnapshot($0, in: firestore) }, listener)
  }

  /// Does the same as without the first parameter: metadata never changes here.
  @discardableResult
  public func addSnapshotListener(
    includeMetadataChanges: Bool,
    listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(listener)
  }
}
