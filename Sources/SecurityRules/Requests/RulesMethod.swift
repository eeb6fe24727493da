/// An operation on documents, as statements name it.
public enum RulesMethod: String, Sendable, CaseIterable {
  /// Reads one document.
  case get
  /// Runs a query.
  case list
  /// Writes a document that does not exist.
  case create
  /// Writes a document that exists.
  case update
  /// Deletes a document, whether it exists or not.
  case delete
}
