import HearthFirestoreJSON
import ServerTestClient

extension ExampleReplay {
  /// Sends a request of HTTP/1.1.
  ///
  /// - Returns: its answer, in the form of the recordings, with those headers that were recorded.
  static func exchange(
    _ step: JSONValue, showing recorded: [String], port: Int
  ) async throws -> JSONValue {
    let content = step["text"]?.string ?? step["body"]?.line ?? ""
    var lines = ["\(step["http"]?.string ?? "") \(step["path"]?.string ?? "") HTTP/1.1"]
    lines += ["Host: localhost", "Connection: close", "Content-Length: \(content.utf8.count)"]
    for (name, value) in step["headers"]?.members ?? [] {
      lines.append("\(name): \(value.string ?? "")")
    }
    let connection = try await PlainConnection.connect(to: port)
    try await connection.send((lines + ["", content]).joined(separator: "\r\n"))
    let text = await connection.text()
    guard let end = text.firstRange(of: "\r\n\r\n") else { return .null }
    let head: [Substring] = text[..<end.lowerBound].split(separator: "\r\n")
    let words: [Substring] = (head.first ?? "").split(separator: " ")
    let status = words.count > 1 ? Int64(words[1]) : nil
    var members: [(String, JSONValue)] = [("status", .integer(status ?? 0))]
    var headers: [(String, JSONValue)] = []
    for line in head.dropFirst() {
      let parts: [Substring] = line.split(separator: ": ", maxSplits: 1)
      guard parts.count == 2, parts[0] != "content-type", recorded.contains(String(parts[0]))
      else { continue }
      headers.append((String(parts[0]), .string(String(parts[1]))))
    }
    if !headers.isEmpty { members.append(("headers", .object(headers))) }
    let rest = String(text[end.upperBound...])
    if let json = try? JSONValue(parsing: Array(rest.utf8)) {
      members.append(("body", json.withoutDetails))
    } else {
      members.append(("text", .string(rest)))
    }
    return .object(members)
  }
}

extension JSONValue {
  /// The value without the details of errors, which the recorded emulator doesn't send.
  fileprivate var withoutDetails: JSONValue {
    switch self {
    case .array(let items): .array(items.map(\.withoutDetails))
    case .object(let members):
      .object(members.filter { $0.0 != "details" }.map { ($0, $1.withoutDetails) })
    default: self
    }
  }
}
