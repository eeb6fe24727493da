public import Hearth
import HearthFirestoreJSON
import HearthServerCalls

/// A query that was refused because an index is missing.
public struct RefusedQuery: Sendable {
  /// The refusal, whose ``DatabaseError/missingIndex`` is the index to create.
  public let error: DatabaseError
  /// Folder of the database; `nil` for one in memory.
  public let folder: String?
  private let requested: RequestedQuery

  init(_ refusal: Refusal, folder: String?) {
    error = refusal.error
    self.folder = folder
    requested = refusal.requested
  }

  /// The database that was queried.
  public var database: DatabaseID { requested.database }

  /// The query on one line, with `?` in place of each value, count and document id:
  /// `cities where country == ? order by population desc limit ?`.
  public var shape: String { QueryText.shape(of: requested.query) }

  /// The query on one line, with its values. They may be private.
  public var text: String { QueryText.text(of: requested.query, in: requested.database) }
}
