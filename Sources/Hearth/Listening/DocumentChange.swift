import DocumentEngine
import DocumentModel

/// What is different about one document since the snapshot before.
///
/// To change a list of the earlier results into the later ones, take the changes one after the
/// other: remove what is at `oldIndex`, insert the document at `newIndex`.
public struct DocumentChange: Sendable {
  /// What happened to a document.
  public enum Kind: Sendable {
    /// The document came into the result.
    case added
    /// The document is in the result as before, but it was written, and may stand elsewhere.
    case modified
    /// The document left the result, whether it was deleted or doesn't match any more.
    case removed
  }

  /// What happened.
  public let kind: Kind
  /// The document as it is in the later result, or was in the earlier one if it is removed.
  public let document: DocumentSnapshot
  /// Where the document stood, with the changes before this one applied; `nil` if it is added.
  public let oldIndex: Int?
  /// Where the document stands from this change on; `nil` if it is removed.
  public let newIndex: Int?

  init(_ kind: Kind, _ document: DocumentSnapshot, oldIndex: Int?, newIndex: Int?) {
    self.kind = kind
    self.document = document
    self.oldIndex = oldIndex
    self.newIndex = newIndex
  }
}

extension DocumentChange.Kind {
  init(_ kind: ListenerSnapshot.Change.Kind) {
    switch kind {
    case .added: self = .added
    case .modified: self = .modified
    case .removed: self = .removed
    }
  }
}
