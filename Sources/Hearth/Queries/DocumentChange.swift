/// Difference in one document since the snapshot before.
///
/// To turn a list of the earlier results into the later ones, apply the changes in order: remove
/// the document at `oldIndex`, and insert the document at `newIndex`.
public struct DocumentChange: Sendable {
  /// Kinds of changes.
  public enum Kind: Sendable {
    /// The document has entered the results.
    case added
    /// The document is still in the results, but it was written, and its position may have changed.
    case modified
    /// The document has left the results: it was deleted or doesn't match any more.
    case removed
  }

  /// Kind of the change.
  public let kind: Kind
  /// The document as it is in the later results; for a removed one, as it was in the earlier
  /// results.
  public let document: DocumentSnapshot
  /// Index of the document after the changes before this one; `nil` if it is added.
  public let oldIndex: Int?
  /// Index of the document after this change; `nil` if it is removed.
  public let newIndex: Int?

  init(_ kind: Kind, _ document: DocumentSnapshot, oldIndex: Int?, newIndex: Int?) {
    self.kind = kind
    self.document = document
    self.oldIndex = oldIndex
    self.newIndex = newIndex
  }
}
