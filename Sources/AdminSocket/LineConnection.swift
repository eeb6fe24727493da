import HearthDocumentModel
import HearthFirestoreJSON

/// A connection that carries lines of JSON. Only one thread at a time may read, and one write.
final class LineConnection {
  private static let pieceByteCount = 64 << 10

  let socket: UnixSocket
  private let maximumLineByteCount: Int
  private var received: [UInt8] = []
  /// The offset of the next line in `received`.
  private var start = 0
  /// The number of bytes of `received` that were searched for the end of a line.
  private var searched = 0
  private var waiting: [UInt8] = []

  init(_ socket: UnixSocket, maximumLineByteCount: Int = AdminWire.maximumLineByteCount) {
    self.socket = socket
    self.maximumLineByteCount = maximumLineByteCount
  }

  /// Returns the next line without its end; `nil` if the other side has closed the connection, even
  /// in the middle of a line.
  ///
  /// - Throws: `invalidArgument` for a line that is too long or is no JSON; ``SystemFailure``.
  func next() throws -> JSONValue? {
    guard let line = try nextLine() else { return nil }
    do {
      return try JSONValue(parsing: line)
    } catch {
      throw DatabaseError(
        .invalidArgument, "A line of the admin socket is no JSON: \(error).", cause: error)
    }
  }

  private func nextLine() throws -> [UInt8]? {
    while true {
      if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[start..<end])
        start = end + 1
        searched = start
        return line
      }
      received.removeSubrange(..<start)
      start = 0
      searched = received.count
      guard searched <= maximumLineByteCount else {
        throw DatabaseError(
          .invalidArgument,
          "A line of the admin socket is longer than \(maximumLineByteCount) bytes.")
      }
      let count = try socket.read(into: &received, atMost: LineConnection.pieceByteCount)
      if count == 0 { return nil }
    }
  }

  /// Appends to the bytes that are sent together: at the next `flush`, or earlier if they are many.
  func append(_ body: (inout [UInt8]) -> Void) throws(SystemFailure) {
    body(&waiting)
    if waiting.count >= LineConnection.pieceByteCount { try flush() }
  }

  func flush() throws(SystemFailure) {
    guard !waiting.isEmpty else { return }
    let bytes = waiting
    waiting.removeAll(keepingCapacity: true)
    try socket.write(bytes)
  }
}
