import Foundation
import Hearth

/// Kind of a change of one document.
public enum DocumentChangeType: Int, Sendable, Hashable {
  /// The document came into the result.
  case added
  /// The document is in the result as before, but it was written, and may stand elsewhere.
  case modified
  /// The document left the result.
  case removed
}

/// Difference of one document between a snapshot and the one before.
///
/// To change a list of the earlier results into the later ones, take the changes one after the
/// other: remove what is at `oldIndex`, insert the document at `newIndex`.
public final class DocumentChange: Sendable {
  /// Kind of the change.
  public let type: DocumentChangeType
  /// The document as it is in the later result, or was in the earlier one if it is removed.
  public let document: QueryDocumentSnapshot
  /// Place of the document before, with the earlier changes applied; `UInt(NSNotFound)` if it
  /// is added.
  public let oldIndex: UInt
  /// Place of the document from this change on; `UInt(NSNotFound)` if it is removed.
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
  /// Differences from the listener's snapshot before. For the first snapshot, and for one
  /// that wasn't listened for, all documents are added.
  public var documentChanges: [DocumentChange] {
    stored.documentChanges.map { DocumentChange($0, in: query.firestore) }
  }

  /// As without the parameter: metadata never changes here.
  public func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange] {
    documentChanges
  }
}
