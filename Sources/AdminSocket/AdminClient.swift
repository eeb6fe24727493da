package import DocumentModel

/// A connection to the application that has a database open. One thread at a time uses it.
package final class AdminClient {
  /// How long an application that listens may take to say so.
  package static let helloSeconds = 10

  private let connection: LineConnection
  /// Who answers.
  package let hello: AdminHello

  private init(_ connection: LineConnection, _ hello: AdminHello) {
    self.connection = connection
    self.hello = hello
  }

  /// Connects to the application that has the database in `folder` open.
  ///
  /// - Parameter seconds: how long it may take to accept the connection, and again to say hello.
  /// - Returns: `nil` where none has, or one that serves no admin socket.
  /// - Throws: `permissionDenied` for an application of another user, or what is left of one;
  ///   `resourceExhausted` where it serves too many already; `deadlineExceeded` where it is stuck;
  ///   `unimplemented` where it is of a later release.
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
          "The admin socket of \(folder) is served by a stranger, user "
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
      // Nothing at all: it is closing just now.
      guard let json = try connection.next() else { return nil }
      // It closed just now.
      if case .closing? = try? AdminReply(json) { return nil }
      if let refusal = try AdminMembers(json).optionalMessage("error", as: AdminError.self) {
        throw refusal.error
      }
      let hello = try AdminHello(json)
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
  /// - Parameter item: is told each item as it comes; what it throws ends the call, and the
  ///   connection can't be used any more.
  /// - Throws: what the call throws there; ``ClosedConnection`` where the call was not begun;
  ///   `unavailable` with ``LostApplication`` where the application ended, or closed the
  ///   database, before it answered.
  package func run<Call: AdminCall>(
    _ call: Call, _ item: (Call.Item) throws -> Void
  ) throws -> Call.Answer {
    do {
      try connection.append { bytes in
        AdminRequest(call).append(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
      try connection.flush()
    } catch {
      // Perhaps the other side has said why it takes no more.
    }
    while true {
      switch try nextReply() {
      case .item(let json): try item(Call.Item(json))
      case .answer(let json): return try Call.Answer(json)
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

/// The application closed the database, or itself, before it began the call: what is there now may
/// be asked instead.
package struct ClosedConnection: Error {}

/// The application that had the database open ended, or closed the database, before it answered:
/// another try may meet the next one, or nobody.
package struct LostApplication: DatabaseError.Details {
  /// Its process.
  package let process: Int
}
