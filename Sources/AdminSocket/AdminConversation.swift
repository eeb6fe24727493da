import DocumentModel

/// One connection, as the server sees it.
final class AdminConversation {
  private let connection: LineConnection
  private let number: Int
  private let listener: AdminListener

  /// - Parameter number: the connection's, to the listener.
  init(_ socket: UnixSocket, _ number: Int, of listener: AdminListener) {
    connection = LineConnection(socket, maximumLineByteCount: listener.maximumLineByteCount)
    self.number = number
    self.listener = listener
  }

  /// Answers calls, one after the other, until either side has enough.
  func run(_ hello: AdminHello, _ perform: AdminServer.Performer) {
    do {
      try connection.append { bytes in
        hello.append(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
      try connection.flush()
      while try answerNext(perform) {}
    } catch {
      // The other side is gone, and with it whoever could be told.
    }
  }

  /// - Returns: whether there may be a next one.
  private func answerNext(_ perform: AdminServer.Performer) throws -> Bool {
    let replies = AdminReplies(connection)
    let request: AdminRequest
    do {
      guard let json = try connection.next() else {
        // Either side has enough; if it is this one, the other may not know yet.
        try replies.close()
        return false
      }
      request = try AdminRequest(json)
    } catch let error as DatabaseError {
      // Who writes such a line would make no sense of the next either.
      try replies.fail(error)
      return false
    } catch let error as SystemFailure {
      // What the other side asks next, it may ask of a new connection.
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

/// Where the answer to a call goes. It throws where nobody wants it any more, which ends the call.
package struct AdminReplies {
  private let connection: LineConnection

  init(_ connection: LineConnection) {
    self.connection = connection
  }

  /// Tells whether whoever asked is gone, to work that has nothing to send and may last.
  package var isAbandoned: @Sendable () -> Bool {
    { [socket = connection.socket] in socket.isHungUp }
  }

  /// Sends an item.
  ///
  /// - Parameter isFlushed: whether it goes at once, and not together with those that follow.
  package func item(_ item: some AdminMessage, isFlushed: Bool) throws {
    try connection.append { AdminReply.append("item", item, to: &$0) }
    if isFlushed { try connection.flush() }
  }

  /// Sends the answer, which is the end.
  package func answer(_ answer: some AdminMessage) throws {
    try connection.append { AdminReply.append("answer", answer, to: &$0) }
    try connection.flush()
  }

  fileprivate func close() throws {
    try connection.append { AdminReply.appendClosing(to: &$0) }
    try connection.flush()
  }

  fileprivate func fail(_ error: DatabaseError) throws {
    try connection.append { AdminReply.append("error", AdminError(error), to: &$0) }
    try connection.flush()
  }
}
