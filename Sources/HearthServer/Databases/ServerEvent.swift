public import Hearth

/// An event that the owner of a server may want to hear of.
public enum ServerEvent: Sendable {
  /// A database was opened, or made.
  case opened(DatabaseID, OpenReport)
  /// A database was closed, with the error that closing had; `nil` for none.
  case closed(DatabaseID, DatabaseError?)
  /// A query was refused because an index is missing, which the error tells. The folder is that of
  /// the database; `nil` for one in memory.
  case refused(DatabaseID, folder: String?, DatabaseError)
}
