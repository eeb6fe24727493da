package import DocumentModel

/// Answers calls on the admin socket of one database, from its start to its stop or release.
///
/// Each connection has a thread. Only the application's own user and root are served.
package final class AdminServer: Sendable {
  /// What performs a call: it answers by the replies, or throws why it doesn't.
  package typealias Performer = @Sendable (AdminRequest, AdminReplies) throws -> Void

  private let listener: AdminListener

  /// Listens for the database in `folder`, which this process must have locked; whoever connects
  /// waits for the start.
  ///
  /// - Parameters:
  ///   - runtimeFolder: where the socket stands if its path would be too long; `nil` is the user's
  ///     own.
  ///   - maximumLineByteCount: a longer call ends its connection; `nil` is 64 MiB.
  ///   - maximumWaitSeconds: a tool that neither asks nor reads for so long holds up a connection,
  ///     and perhaps a snapshot: its connection ends.
  /// - Throws: `unavailable` or `permissionDenied` where the socket can't be made.
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

  /// Where it listens.
  package var path: String { listener.place.path }

  /// Begins to answer.
  ///
  /// - Throws: `resourceExhausted` where there can be no thread for it.
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

  /// Begins no more calls, for who is about to end those that are being performed, and then stops.
  package func refuseCalls() { listener.refuseCalls() }

  /// Removes the socket, and ends all connections. Idempotent.
  ///
  /// - Parameters:
  ///   - answered: which of the calls that are being performed are still answered.
  ///   - note: is told once where all are waited for, and that takes more than a second.
  package func stop(answering answered: AnsweredCalls = .none, _ note: () -> Void = {}) {
    listener.stop(answering: answered, note)
  }
}

/// Which calls a server that stops still answers, of those that are being performed.
package enum AnsweredCalls: Sendable {
  /// None: they go on until they notice, or the database is closed.
  case none
  /// Those that are at their end within a second.
  case soonDone
  /// All, however long they take.
  case all
}
