import HearthFirestoreJSON
import HearthServer
import ServerTestClient

/// A table of a server's answers to each kind of caller at each of its addresses.
struct EndpointTable {
  /// A caller: its name in the table, and the header by which it calls.
  struct Caller {
    let name: String
    let authorization: String?
  }

  /// A request that each caller makes.
  enum Row {
    case http(_ method: String, _ path: String, _ body: String = "{}")
    case grpc(_ path: String, _ request: [UInt8])
  }

  let callers: [Caller]
  let rows: [Row]

  /// Asks the server for everything.
  ///
  /// - Returns: the lines of the table.
  func lines(from client: RulesClient, _ server: TestServer) async throws -> [String] {
    var lines = [
      EndpointTable.line(["Request"] + callers.map(\.name)),
      "|" + [String](repeating: "---", count: callers.count + 1).joined(separator: "|") + "|",
    ]
    for row in rows {
      var cells = [row.name]
      for caller in callers {
        cells.append(try await row.outcome(as: caller.authorization, client, server))
      }
      lines.append(EndpointTable.line(cells))
    }
    return lines
  }

  private static func line(_ cells: [String]) -> String {
    "| \(cells.joined(separator: " | ")) |"
  }
}

extension EndpointTable.Row {
  /// The name in the table, with words in place of what belongs to the test.
  fileprivate var name: String {
    switch self {
    case .http(let method, let path, _):
      let shown = path.replacing(RulesClient.documents, with: "…/documents")
        .replacing(RulesClient.project, with: "PROJECT").replacing("?key=k", with: "?key=KEY")
      return "`\(method) \(shown)`"
    case .grpc(let path, _): return "`\(path.split(separator: "/").last ?? "")` over gRPC"
    }
  }

  /// Returns the status of the answer, and the name of the refusal.
  fileprivate func outcome(
    as authorization: String?, _ client: RulesClient, _ server: TestServer
  ) async throws -> String {
    switch self {
    case .http(let method, let path, let body):
      let answer = try await client.send(method, path, body, as: authorization)
      guard answer.status >= 400 else { return "\(answer.status)" }
      let error = answer["error"] ?? answer.json.elements.first?["error"]
      let name = error?["status"]?.string ?? String(answer.message.prefix { $0 != " " })
      return name.isEmpty ? "\(answer.status)" : "\(answer.status) \(name)"
    case .grpc(let path, let request):
      let headers = authorization.map { [("authorization", $0)] } ?? []
      let answer = try await server.client.call(path, request, headers: headers)
      return Self.codes[answer.status ?? -1] ?? "status \(answer.status ?? -1)"
    }
  }

  private static let codes = [
    0: "OK", 3: "INVALID_ARGUMENT", 5: "NOT_FOUND", 7: "PERMISSION_DENIED", 16: "UNAUTHENTICATED",
  ]
}
