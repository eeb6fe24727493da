import Hearth
import HearthDocumentModel
import HearthProtocols

/// The changes of one moment over all targets of a stream. A document that changes for several
/// targets is sent once.
struct MomentChanges {
  private struct Key: Hashable {
    let path: ResourcePath
    /// The target whose projection the document has; `nil` for the whole document.
    let projectedFor: Int32?
  }

  private struct Change {
    /// The document as it is now; `nil` if no target has it.
    var document: DocumentSnapshot?
    /// Whether only the name is sent.
    var isHidden = false
    var targets: [Int32] = []
    var removedTargets: [Int32] = []
  }

  private var changes: [Key: Change] = [:]
  /// The keys in the order of their first changes.
  private var order: [Key] = []

  var isEmpty: Bool { order.isEmpty }

  /// Adds a document that is in the result of a target.
  mutating func put(_ document: DocumentSnapshot, _ id: Int32, isProjected: Bool) {
    change(Key(path: document.reference.path, projectedFor: isProjected ? id : nil)) {
      $0.document = document
      $0.targets.append(id)
    }
  }

  /// Adds a document that isn't in the result of a target, or no longer.
  mutating func remove(_ path: ResourcePath, _ id: Int32) {
    change(Key(path: path, projectedFor: nil)) { $0.removedTargets.append(id) }
  }

  /// Adds the changes of a target's result.
  mutating func add(
    _ documentChanges: [DocumentChange], of target: ListenTarget, _ id: Int32
  ) {
    for change in documentChanges {
      if change.kind == .removed {
        remove(change.document.reference.path, id)
      } else {
        put(change.document, id, isProjected: target.isProjected)
      }
    }
  }

  private mutating func change(_ key: Key, _ body: (inout Change) -> Void) {
    if changes[key] == nil { order.append(key) }
    body(&changes[key, default: Change()])
  }

  /// Reads the documents that no target has any more, in the database at that moment.
  ///
  /// - Parameter areHidden: whether the client is not to see the present content of these, which no
  ///   judgement of its targets covers.
  mutating func readRemoved(
    in snapshot: DatabaseSnapshot, of database: Database, areHidden: Bool
  ) throws(DatabaseError) {
    for key in order where changes[key]?.document == nil {
      let reference = try database.document(key.path.description)
      changes[key]?.document = try blocking { () throws(DatabaseError) in
        try snapshot.getDocument(reference)
      }
      changes[key]?.isHidden = areHidden
    }
  }

  /// Sends the changes, when all documents were read.
  func send(
    at readTime: Timestamp, of id: DatabaseID, by send: Sending<V1.ListenResponse>
  ) async throws {
    for key in order {
      guard let change = changes[key], let document = change.document else { continue }
      var response = V1.ListenResponse()
      if change.isHidden, document.exists {
        response.documentRemove.document = id.documentText(key.path)
        response.documentRemove.removedTargetIds = change.removedTargets
        response.documentRemove.readTime = readTime.message
      } else if document.exists {
        // Whole, even for a target that shows parts and has lost it: clients only forget it.
        response.documentChange.document = try document.message(in: id)
        response.documentChange.targetIds = change.targets
        response.documentChange.removedTargetIds = change.removedTargets
      } else {
        response.documentDelete.document = id.documentText(key.path)
        response.documentDelete.removedTargetIds = change.removedTargets
        response.documentDelete.readTime = readTime.message
      }
      try await send(response)
    }
  }
}
