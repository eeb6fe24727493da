extension PlainConnection {
  /// Sends one request of HTTP/1.1 on a connection of its own.
  ///
  /// - Returns: the status and the body of its answer.
  package static func exchange(
    _ method: String, _ path: String, _ body: String = "", headers: [String] = [], port: Int
  ) async throws -> (status: Int, body: String) {
    let connection = try await connect(to: port)
    let head = [
      "\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close",
      "Content-Length: \(body.utf8.count)",
    ]
    try await connection.send((head + headers + ["", body]).joined(separator: "\r\n"))
    let text = await connection.text()
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let status = text.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
    let content = parts.count > 1 ? parts[1] : ""
    let isChunked = parts[0].lowercased().contains("transfer-encoding: chunked")
    return (Int(status) ?? 0, isChunked ? joined(chunks: content) : String(content))
  }

  /// Returns the content of chunks, up to the first one that isn't whole.
  package static func joined(chunks: Substring) -> String {
    var content: [UInt8] = []
    var rest = Array(chunks.utf8)[...]
    while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\r")),
      let count = Int(String(decoding: rest[..<lineEnd], as: UTF8.self), radix: 16), count > 0,
      rest.endIndex >= lineEnd + 2 + count + 2
    {
      content += rest[(lineEnd + 2)..<(lineEnd + 2 + count)]
      rest = rest[(lineEnd + 2 + count + 2)...]
    }
    return String(decoding: content, as: UTF8.self)
  }
}
