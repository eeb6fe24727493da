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
    return (Int(status) ?? 0, parts.count > 1 ? String(parts[1]) : "")
  }
}
