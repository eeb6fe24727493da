/// The server's conduct when a query lacks an index.
public enum MissingIndexes: Sendable, Equatable {
  /// The query is refused, as in production.
  case refused
  /// The index is created: the call waits until it is built, and then answers. If the build takes
  /// longer than the call may wait, a minute without a deadline, the query is refused, and the
  /// build goes on.
  ///
  /// The index is written to a file in the form of `firestore.indexes.json`, whose indexes all
  /// databases get. If the file exists at the start, they get those that are in it. Nothing is
  /// created beyond production's limit of indexes.
  case created(file: String)
}
