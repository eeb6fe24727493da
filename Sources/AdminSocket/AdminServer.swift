package import HearthDocumentModel

/// Answers calls on the admin socket of one database, from its start to its stop or release.
///
/// Each connection has a thread. Only the application's own user and root are served.
package final class AdminServer: Sendable {
  /// A closure that performs a call. It answers through the replies, or throws the error to answer
  /// with.
  package typealias Performer = @Sendable (AdminRequest, AdminReplies) throws -> Void

  private let listener: AdminListener

  /// Listens for the database in `folder`, which this process must have locked. Clients that
  /// connect wait for the start.
  ///
  /// - Parameters:
  ///   - runtimeFolder: the folder for the socket if its own path would be too long; `nil` for the
  ///     user's runtime folder.
  ///   - maximumLineByteCount: the size in bytes of the longest call; a longer one ends its
  ///     connection. `nil` is 64 MiB.
  ///   - maximumWaitSeconds: the number of seconds that a client may neither call nor read. A
  ///     longer pause ends its connection, because it blocks the connection and perhaps a snapshot.
  /// - Throws: `unavailable` or `permissionDenied` if the socket can't be made.
  package init(
    folder: String, runtimeFolder: String? = nil, maximumLineByteCount: Int? = nil,
    maximumWaitSeconds: Int = 300
  ) throws(DatabaseError) {
    do throws(SystemFailure) {
      listener = try AdminListener(
        folder: folder, runtimeFolder: runtimeFolder,
        maximumLineByteCount: maximumLineByteCount ?? AdminWire.maximumLineByteCount,
        maximumWaitSeconds: maximumWaitSeconds)
    } catch {
      throw DatabaseError(
        error.isForbidden ? .permissionDenied : .unavailable,
        "The admin socket of \(folder) can't be made: \(error).", cause: error)
    }
  }

  deinit { listener.stop(answering: .none) }

  /// The path of the socket.
  package var path: String { listener.place.path }

  /// Whether a call is being performed.
  package var isBusy: Bool { listener.isBusy }

  /// Begins to answer calls.
  ///
  /// - Throws: `resourceExhausted` if no thread can be started.
  package func start(
    _ databaseID: DatabaseID, perform: @escaping Performer
  ) throws(DatabaseError) {
    let hello = AdminHello(
      process: OwnProcess.identifier, command: OwnProcess.command, databaseID: databaseID)
    do throws(SystemFailure) {
      try OwnProcess.startThread { [listener] in listener.run(hello, perform) }
    } catch {
      stop()
      throw DatabaseError(
        .resourceExhausted, "The admin socket has no thread: \(error).", cause: error)
    }
  }

  /// Refuses all further calls. A caller that will end the calls under way uses this before
  /// ``stop(answering:_:)``.
  package func refuseCalls() { listener.refuseCalls() }

  /// Removes the socket and ends all connections. Idempotent.
  ///
  /// - Parameters:
  ///   - answered: the calls under way that are still answered.
  ///   - note: a closure that is called once if all calls are waited for, and that takes more than
  ///     a second.
  package func stop(answering answered: AnsweredCalls = .none, _ note: () -> Void = {}) {
    listener.stop(answering: answered, note)
  }
}

/// The calls under way that a stopping server still answers.
package enum AnsweredCalls: Sendable {
  /// No call. The calls go on until they notice, or the database is closed.
  case none
  /// The calls that finish within a second.
  case soonDone
  /// All calls, regardless of their duration.
  case all
}
