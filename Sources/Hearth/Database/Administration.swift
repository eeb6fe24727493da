import HearthAdminSocket
import HearthDocumentModel
import Synchronization

/// The admin socket of a database, from its opening to its close or release.
final class Administration: Sendable {
  /// A closure that performs a request on the database and sends the replies.
  typealias Answering = @Sendable (Database, AdminRequest, AdminReplies) throws -> Void

  private let server: AdminServer
  /// The database that calls are performed on; `nil` after the stop. It isn't the object that the
  /// application holds, which must end with its last reference. A weak reference to that object
  /// would make each of its uses, by every query, several times slower.
  private let served = Mutex<Database?>(nil)
  /// Whether the database is about to be closed.
  private let isClosing = Flag()

  /// Listens at the folder of a database, which this process has locked.
  ///
  /// - Throws: the errors of ``AdminServer``.
  init(folder: String) throws(DatabaseError) {
    server = try AdminServer(folder: folder)
  }

  deinit { stop() }

  /// Begins to answer the tools that connect.
  ///
  /// - Throws: the error of reading the database's identity; the errors of ``AdminServer``.
  func start(
    on database: Database, answering answer: @escaping Answering
  ) throws(DatabaseError) {
    served.withLock { $0 = database }
    try server.start(database.id()) { [weak self] request, replies in
      guard let database = self?.served.withLock({ $0 }) else {
        throw DatabaseError(.unavailable, "The application has closed the database.")
      }
      do {
        try answer(database, request, replies)
      } catch let error as DatabaseError
        where error.code == .failedPrecondition && self?.isClosing.isRaised ?? true
      {
        // The request itself was valid: elsewhere, or later, it may succeed.
        throw DatabaseError(.aborted, error.message, cause: error)
      }
    }
  }

  /// Whether a call is being performed.
  var isBusy: Bool { server.isBusy }

  /// Refuses new calls, before the running ones are made to end.
  func prepareToStop() {
    isClosing.raise()
    server.refuseCalls()
  }

  /// Ends all connections, and removes the socket. Idempotent.
  ///
  /// The parameters are those of ``AdminServer/stop(answering:_:)``.
  func stop(answering answered: AnsweredCalls = .none, _ note: () -> Void = {}) {
    // The socket must go before the engine releases the folder's lock: the next process to lock the
    // folder makes a socket of the same name.
    server.stop(answering: answered, note)
    served.withLock { $0 = nil }
  }
}
