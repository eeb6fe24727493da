import AdminSocket
import DocumentModel
import Synchronization

/// The admin socket of a database, from its opening to its close or release.
final class Administration: Sendable {
  private let server: AdminServer
  /// What calls are performed on, until the stop: not what the application holds, which must end
  /// with its last reference. A weak reference to that one would make each of its uses, by every
  /// query, several times as slow.
  private let served = Mutex<Database?>(nil)
  /// Whether the database is about to be closed.
  private let isClosing = Flag()

  /// Listens at the folder of a database, which this process has locked.
  ///
  /// - Throws: as ``AdminServer``.
  init(folder: String) throws(DatabaseError) {
    server = try AdminServer(folder: folder)
  }

  deinit { stop() }

  /// Begins to answer the tools that connect.
  ///
  /// - Throws: what reading the database's identity throws; as ``AdminServer``.
  func start(on database: Database) throws(DatabaseError) {
    served.withLock { $0 = database }
    try server.start(database.id()) { [weak self] request, replies in
      guard let database = self?.served.withLock({ $0 }) else {
        throw DatabaseError(.unavailable, "The application has closed the database.")
      }
      do {
        try database.answer(request, replies)
      } catch let error as DatabaseError
        where error.code == .failedPrecondition && self?.isClosing.isRaised ?? true
      {
        // It was right to ask; elsewhere, or later, it may be done.
        throw DatabaseError(.aborted, error.message, cause: error)
      }
    }
  }

  /// Begins no more calls, before those that are being performed are made to end.
  func prepareToStop() {
    isClosing.raise()
    server.refuseCalls()
  }

  /// Ends all connections, and removes the socket. Idempotent.
  ///
  /// The parameters are those of ``AdminServer/stop(answering:_:)``.
  func stop(answering answered: AnsweredCalls = .none, _ note: () -> Void = {}) {
    // Before the folder's lock goes with the engine: the next holder has a socket of that name.
    server.stop(answering: answered, note)
    served.withLock { $0 = nil }
  }
}
