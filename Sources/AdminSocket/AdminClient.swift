package import HearthDocumentModel

/// A connection to the application that has a database open. Only one thread at a time may use it.
package final class AdminClient {
  /// The number of seconds that a listening application has for its greeting.
  package static let helloSeconds = 10

  private let connection: LineConnection
  /// The introduction of the application that answers.
  package let hello: AdminHello

  private init(_ connection: LineConnection, _ hello: AdminHello) {
    self.connection = connection
    self.hello = hello
  }

  /// Connects to the application that has the database in `folder` open.
  ///
  /// - Parameter seconds: the time limit for accepting the connection, and again for the greeting.
  /// - Returns: `nil` if no application has the database open, or the one that has serves no admin
  ///   socket.
  /// - Throws: `permissionDenied` for an application of another user, or a socket that it left
  ///   behind; `resourceExhausted` if it serves too many connections already; `deadlineExceeded` if
  ///   it is stuck; `unimplemented` if it is of a later release.
  package static func connect(
    folder: String, waiting seconds: Int = helloSeconds
  ) throws(DatabaseError) -> AdminClient? {
    do {
      guard let socket = try SocketPlace.connect(to: folder, waiting: seconds) else { return nil }
      let peer = try socket.peer()
      let owner = try FileCalls.owner(of: folder)
      guard [OwnProcess.user, owner, 0].contains(peer.user) else {
        throw DatabaseError(
          .permissionDenied,
          "The admin socket of \(folder) is served by another user, "
            + "\(peer.user): process \(peer.process).")
      }
      return try AdminClient.greeted(by: socket, process: peer.process, waiting: seconds)
    } catch let error as DatabaseError {
      throw error
    } catch let error as SystemFailure {
      if error.isOutOfTime {
        throw DatabaseError(
          .deadlineExceeded,
          "The application that has the database at \(folder) open takes no connections: is it "
            + "stopped?", cause: error)
      }
      throw DatabaseError(
        error.isForbidden ? .permissionDenied : .unavailable,
        error.isForbidden
          ? "The application that has the database at \(folder) open is another user's."
          : "The admin socket of \(folder) can't be reached: \(error).", cause: error)
    } catch {
      throw DatabaseError(.internal, "\(error)", cause: error)
    }
  }

  private static func greeted(
    by socket: UnixSocket, process: Int, waiting seconds: Int
  ) throws -> AdminClient? {
    let connection = LineConnection(socket)
    socket.limitWaits(seconds: seconds)
    defer { socket.limitWaits(seconds: 0) }
    do {
      // An empty connection: the application is closing just now.
      guard let json = try connection.next() else { return nil }
      switch try? AdminReply(json) {
      // The application closed just now.
      case .closing: return nil
      case .error(let refusal): throw refusal
      case .item, .answer, nil: break
      }
      let hello = try AdminDecoder.read(AdminHello.self, from: json)
      guard hello.version <= AdminWire.version else {
        throw DatabaseError(
          .unimplemented,
          "\(hello.application) has the database open, and is of a later release than this tool.")
      }
      return AdminClient(connection, hello)
    } catch let error as SystemFailure {
      guard error.isOutOfTime else { return nil }
      throw DatabaseError(
        .deadlineExceeded,
        "Process \(process) has the database open, but does not answer: is it stopped?",
        cause: error)
    }
  }

  /// Makes a call, and waits for its answer.
  ///
  /// - Parameter item: a closure that receives each item as it comes. An error that it throws ends
  ///   the call, and the connection can't be used any more.
  /// - Throws: the error that the call throws in the application; ``ClosedConnection`` if the call
  ///   was not begun; `unavailable` with ``LostApplication`` if the application ended, or closed
  ///   the database, before it answered.
  package func run<Call: AdminCall>(
    _ call: Call, _ item: (Call.Item) throws -> Void
  ) throws -> Call.Answer {
    do {
      try connection.append { AdminRequest.append(call, to: &$0) }
      try connection.flush()
    } catch {
      // The other side may have said why it takes no more calls.
    }
    while true {
      switch try nextReply() {
      case .item(let json): try item(AdminDecoder.read(from: json))
      case .answer(let json): return try AdminDecoder.read(from: json)
      case .error(let error): throw error
      case .closing: throw ClosedConnection()
      }
    }
  }

  private func nextReply() throws -> AdminReply {
    do {
      guard let json = try connection.next() else { throw lost }
      return try AdminReply(json)
    } catch is SystemFailure {
      throw lost
    }
  }

  private var lost: DatabaseError {
    DatabaseError(
      .unavailable,
      "The application that has the database open, \(hello.application), ended, or closed the "
        + "database, before it answered.",
      details: LostApplication(process: hello.process))
  }
}

/// The application closed the database, or itself, before it began the call. The caller may turn to
/// the application that has the database open now.
package struct ClosedConnection: Error {}

/// The application that had the database open ended, or closed the database, before it answered.
/// Another try may meet another application, or none.
package struct LostApplication: DatabaseError.Details {
  /// The id of its process.
  package let process: Int
}
