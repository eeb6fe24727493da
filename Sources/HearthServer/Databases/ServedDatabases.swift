public import Hearth
import HearthServerCalls

/// The choice of the databases that a server serves.
///
/// ```swift
/// let server = HearthServer(databases: .folder("data"))
/// ```
public struct ServedDatabases: Sendable {
  enum Place: Sendable {
    case memory
    case folder(String)
  }

  let place: Place
  /// The project of a folder that is a database itself; `nil` for the one that the database has.
  /// Calls of sign-in that name no project are of it too, or else of `demo-project`.
  public var project: String?
  /// Whether a database that doesn't exist is made at its first write. Otherwise calls on it throw
  /// `notFound`.
  public var makesUnknown = true
  /// The indexes that each database gets when it is opened; `nil` for none but its own. Those of a
  /// new database are there at once; others are built in the background.
  public var indexes: IndexFile?
  /// The conduct when a query lacks an index. Only a server at an address of loopback may create
  /// indexes.
  public var missingIndexes = MissingIndexes.refused
  /// The number of databases that may be open at once: 100 in a folder, where the one without a
  /// call for the longest time is closed for another one, and 10,000 in memory, where none is ever
  /// closed. If all stay in use, calls on others throw `resourceExhausted`, in a folder after a
  /// second.
  public var openLimit: Int
  /// The longest wait for another process that holds a database, such as a run of the tool.
  public var lockTimeout = Duration.seconds(5)
  /// Whether the `hearth` tool may write to a served database: see
  /// ``Database/Options/acceptsToolWrites``.
  public var acceptsToolWrites = false
  /// Whether the documents that are in memory when a database is closed are read back after it is
  /// opened: see ``Database/Options/startsWarm``.
  public var startsWarm = false
  /// The limits of transactions that lock what they read: of waits for them, and of the locks that
  /// those of a database hold. The number is that of all of the server's, and those that only read
  /// count too.
  public var locks = LockLimits()
  /// The memory that the caches of all databases in a folder share, about. Each that is opened gets
  /// a quarter of what is left, at most what ``Database/Options`` has, and at least 1 MiB.
  public var cacheByteCount = 512 << 20
  /// The time after its last call when a database in a folder is closed.
  public var idleTime = Duration.seconds(60)

  private init(_ place: Place, openLimit: Int) {
    self.place = place
    self.openLimit = openLimit
  }

  /// Databases in memory, which end with the server.
  public static var inMemory: ServedDatabases {
    ServedDatabases(.memory, openLimit: 10_000)
  }

  /// Databases in a folder, which is made if it is missing.
  ///
  /// A folder that is a Hearth database is served as that one database. Any other folder holds a
  /// database in each `PROJECT/DATABASE`.
  public static func folder(_ path: String) -> ServedDatabases {
    ServedDatabases(.folder(path), openLimit: 100)
  }
}

extension Transactions {
  /// - Parameter limitsUsers: whether callers are strangers, of whom none may keep the others from
  ///   beginning transactions.
  convenience init(_ limits: LockLimits, limitsUsers: Bool) {
    let count = limits.transactionCount
    self.init(limit: count, userLimit: limitsUsers ? max(1, count / 10) : nil)
  }
}
