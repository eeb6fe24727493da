public import HearthDocumentModel

extension Database {
  /// The choice between changing a database and reading it alone.
  public enum Access: Sendable {
    /// Reading and writing; one process at a time.
    case readWrite
    /// Reading alone. It leaves the folder as it is: no file in it is made, changed, locked or
    /// deleted. So it works on a folder that can't be written, on a full disk, and while another
    /// process has the database open.
    ///
    /// All reads, queries and listeners see the database as it was when it was opened, even if
    /// another process writes to it. Calls that would change the database throw
    /// `failedPrecondition`. Unfinished builds of indexes stay as they are, and the use of indexes
    /// is not saved. The process holds a file handle for each table of the store; a table has 2 MB.
    case readOnly
  }

  /// The choices at the opening of a database.
  public struct Options: Sendable {
    /// Access to the database. A database that is opened for reading alone is never made, waits for
    /// no other process, does no background work and has no admin socket. The other options don't
    /// change that.
    public var access = Access.readWrite
    /// Whether a folder that is missing or empty becomes a new database.
    public var createsIfMissing = true
    /// Whether an acknowledged commit survives power loss. The choice holds from this open to the
    /// close. Without it commits are much faster. They survive a crash of the process, but the
    /// latest may be lost if the machine loses power. The next open then verifies and repairs the
    /// indexes.
    public var isDurable = true
    /// The longest wait for another process that holds the database.
    public var lockTimeout: Duration = .zero
    /// Memory for blocks of the files that were read lately.
    public var cacheByteCount = 64 << 20
    /// Number of tables of the files that are kept open; less than 64 count as 64, and more than
    /// 49,990 as that. A table has 2 MiB. It is mapped into memory, which the kernel may take back,
    /// and its index takes some 30 KB more. So the number bounds the memory of an import, and of a
    /// process that reads all of a large database. A read from a table that isn't open opens it
    /// first.
    public var openTableCount = 1000
    /// Memory for documents that were read lately, which later queries and gets take from there; 0
    /// keeps none. A document takes about 350 bytes more than its stored size.
    public var documentCacheByteCount = 32 << 20
    /// Memory for the places of documents that were read by name; 0 keeps none. A place takes 18
    /// to 37 bytes, and 8 once the memory is full.
    public var nameCacheByteCount = 8 << 20
    /// Memory for index scans that queries repeat: the entries of small scans, and bitmaps of the
    /// documents that large scans find; 0 keeps none. An eighth is for the results of repeated
    /// queries.
    public var scanCacheByteCount = 16 << 20
    /// Whether the documents that are in memory when the database is closed are read back into
    /// memory after the next opening. Their numbers are noted in the database, a few bytes each,
    /// and they are read in the background, in short steps, until all are there or the memory for
    /// documents is full. A process that is killed leaves the note of the close before. Without
    /// ``runsBackgroundWork`` neither is done.
    public var startsWarm = false
    /// Identity of a new database, which references and the links in errors carry. If it is `nil`,
    /// a new database gets `demo-project` and `(default)`, and an existing database keeps its own.
    public var databaseID: DatabaseID?
    /// Bounds of the past that is kept for `snapshot(at:)`; `nil` keeps nothing. While it is kept,
    /// overwritten and deleted data stays on disk, and scans step over it.
    public var history: HistoryLimits?
    /// Limits of transactions that lock what they read: of waits for them, of their number, and of
    /// the locks that they hold.
    public var locks = LockLimits()
    /// Whether the database does background work, on threads of its own. It builds the indexes that
    /// no caller waits for, and those whose build was interrupted by the end of a process. It
    /// deletes documents whose time to live has passed, saves the counted use of indexes, and
    /// compacts key ranges where much was deleted. Without it, a build goes on only while a caller
    /// waits for one, and sweeps must be requested.
    public var runsBackgroundWork = true
    /// Pause between two searches for documents whose time to live has passed; at least 100 ms.
    public var timeToLiveInterval: Duration = .seconds(60)
    /// Whether the `hearth` tool of the same user, or of root, can manage and query the database
    /// while it is open here. The tool uses a socket in the folder or, if the path is too long for
    /// one, in the user's runtime folder. If the socket can't be made, the database opens without
    /// it, and ``OpenReport/administrationFailure`` has the reason.
    public var servesAdministration = true
    /// Whether the `hearth` tool may also write and delete documents while the database is open
    /// here, as if the application wrote them: listeners see the writes, and a transaction that has
    /// read such a document is tried again. Without it the tool only reads, and manages indexes and
    /// times to live.
    public var acceptsToolWrites = false
    /// The logger, and the limits for reports on the database's work.
    public var observability = Observability()

    /// Makes options that suit most databases: made if missing, durable, 64 MiB of blocks and 32
    /// MiB of documents in memory, no past.
    public init() {}
  }
}
