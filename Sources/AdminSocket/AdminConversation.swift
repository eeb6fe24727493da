import HearthDocumentModel
import HearthReports

/// The server's side of one connection.
final class AdminConversation {
  private let connection: LineConnection
  private let number: Int
  private let listener: AdminListener

  /// - Parameter number: the listener's number for the connection.
  init(_ socket: UnixSocket, _ number: Int, of listener: AdminListener) {
    connection = LineConnection(socket, maximumLineByteCount: listener.maximumLineByteCount)
    self.number = number
    self.listener = listener
  }

  /// Answers calls, one after another, until either side closes the connection.
  func run(_ hello: AdminHello, _ perform: AdminServer.Performer) {
    do {
      try connection.append { bytes in
        AdminEncoder.append(hello, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
      try connection.flush()
      while try answerNext(perform) {}
    } catch {
      // The other side is gone, so there is no one to report to.
    }
  }

  /// - Returns: whether another call may follow.
  private func answerNext(_ perform: AdminServer.Performer) throws -> Bool {
    let replies = AdminReplies(connection)
    let request: AdminRequest
    do {
      guard let json = try connection.next() else {
        // Either side has closed. If this side has, the other one may not know yet.
        try replies.close()
        return false
      }
      request = try AdminRequest(json)
    } catch let error as DatabaseError {
      // A client that writes such a line would make no sense of the next answer either.
      try replies.fail(error)
      return false
    } catch let error as SystemFailure {
      // The other side can make its next call on a new connection.
      guard error.isOutOfTime else { throw error }
      try replies.close()
      return false
    }
    guard listener.beginCall(of: number) else {
      try replies.close()
      return false
    }
    defer { listener.endCall(of: number) }
    do {
      try perform(request, replies)
    } catch let error as DatabaseError {
      try replies.fail(error)
    }
    return true
  }
}

/// The sender of the answer to a call. Its functions throw if the caller is gone, which ends the
/// call.
package struct AdminReplies {
  private let connection: LineConnection

  init(_ connection: LineConnection) {
    self.connection = connection
  }

  /// A closure that tells whether the caller is gone, for work that sends nothing for a long time.
  package var isAbandoned: @Sendable () -> Bool {
    { [socket = connection.socket] in socket.isHungUp }
  }

  /// Sends an item.
  ///
  /// - Parameter isFlushed: whether to send the item at once, instead of together with the next
  ///   ones.
  package func item(_ item: some Encodable, isFlushed: Bool) throws {
    try connection.append { AdminReply.append("item", item, to: &$0) }
    if isFlushed { try connection.flush() }
  }

  /// Sends the answer, which ends the call.
  package func answer(_ answer: some Encodable) throws {
    try connection.append { AdminReply.append("answer", answer, to: &$0) }
    try connection.flush()
  }

  fileprivate func close() throws {
    try connection.append { AdminReply.appendClosing(to: &$0) }
    try connection.flush()
  }

  fileprivate func fail(_ error: DatabaseError) throws {
    try connection.append { AdminReply.append("error", ReportedError(error), to: &$0) }
    try connection.flush()
  }
}
