import Foundation
import Hearth

/// Kind of a change of one document.
public enum DocumentChangeType: Int, Sendable, Hashable {
  /// The document has entered the results.
  case added
  /// The document is still in the results, but it was written, and its position may have changed.
  case modified
  /// The document has left the results.
  case removed
}

/// Difference in one document since the snapshot before.
///
/// To turn a list of the earlier results into the later ones, apply the changes in order: remove
/// the document at `oldIndex`, and insert the document at `newIndex`.
public final class DocumentChange: Sendable {
  /// Kind of the change.
  public let type: DocumentChangeType
  /// The document as it is in the later results; for a removed one, as it was in the earlier
  /// results.
  public let document: QueryDocumentSnapshot
  /// Index of the document after the changes before this one; `UInt(NSNotFound)` if it is added.
  public let oldIndex: UInt
  /// Index of the document after this change; `UInt(NSNotFound)` if it is removed.
  public let newIndex: UInt

  init(_ stored: Hearth.DocumentChange, in firestore: Firestore) {
    type =
      switch stored.kind {
      case .added: .added
      case .modified: .modified
      case .removed: .removed
      }
    document = QueryDocumentSnapshot(stored.document, in: firestore)
    oldIndex = UInt(stored.oldIndex ?? NSNotFound)
    newIndex = UInt(stored.newIndex ?? NSNotFound)
  }
}

extension QuerySnapshot {
  /// Changes since the listener's previous snapshot. In its first snapshot, and in one that no
  /// listener made, all documents are added.
  public var documentChanges: [DocumentChange] {
    stored.documentChanges.map { DocumentChange($0, in: query.firestore) }
  }

  /// Returns the same changes as without the parameter: metadata never changes here.
  public func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange] {
    documentChanges
  }
}
