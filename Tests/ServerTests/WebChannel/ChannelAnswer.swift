import HearthFirestoreJSON
import ServerTestClient

/// An answer of a channel over the network, as it comes.
struct ChannelAnswer {
  private let connection: PlainConnection
  /// Bytes of the answer so far.
  private var bytes: [UInt8] = []
  /// Arrays that were taken, of all that have come.
  private var takenCount = 0

  /// Sends a request on a connection of its own.
  init(_ method: String, _ target: String, _ body: String = "", port: Int) async throws {
    connection = try await PlainConnection.connect(to: port)
    let head = [
      "\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close",
      "Origin: http://localhost:3000", "Content-Length: \(body.utf8.count)",
    ]
    try await connection.send((head + ["", body]).joined(separator: "\r\n"))
  }

  /// Returns the next array; `nil` at the end of the answer.
  mutating func next() async -> JSONValue? {
    while true {
      let arrays = ChannelClient.arrays(in: content)
      if takenCount < arrays.count {
        takenCount += 1
        return arrays[takenCount - 1]
      }
      guard !isWhole, let part = await connection.read() else { return nil }
      bytes += part
    }
  }

  /// Returns the status and the content, at the end of the answer.
  mutating func whole() async -> (status: Int, content: String) {
    while !isWhole, let part = await connection.read() { bytes += part }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2)
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0, content)
  }

  private var parts: (head: String, body: Substring) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return ("", "") }
    return (text[..<end.lowerBound].lowercased(), text[end.upperBound...])
  }

  private var isWhole: Bool {
    let (head, body) = parts
    guard !head.isEmpty else { return false }
    if head.contains("transfer-encoding: chunked") { return body.hasSuffix("0\r\n\r\n") }
    return head.contains("content-length: \(body.utf8.count)")
  }

  private var content: String {
    let (head, body) = parts
    return head.contains("transfer-encoding: chunked")
      ? PlainConnection.joined(chunks: body) : String(body)
  }
}
