import HearthDocumentModel
import HearthFirestoreJSON

/// A replay of one exchange of sign-in.
struct AuthReplay {
  private static let project = "/identitytoolkit.googleapis.com/v1/projects/demo-auth"
  private static let owner = JSONValue.object([("authorization", .string("Bearer owner"))])

  private let example: AuthExample
  private let port: Int
  private let clock: MovedClock
  private var comparison = AuthComparison()

  init(_ example: AuthExample, port: Int, clock: MovedClock) {
    (self.example, self.port, self.clock) = (example, port, clock)
  }

  /// Makes all requests.
  ///
  /// - Returns: the differences between the answers and those that were worked out.
  mutating func differences() async throws -> [String] {
    var differences = try await setUp()
    for (index, step) in example.steps.enumerated() {
      if let seconds = step["wait"]?.decimal {
        clock.move(seconds: seconds)
        continue
      }
      comparison.values["<s:9>"] = "\(clock.now() / 1000)"
      let request = comparison.applied(
        to: .object(step.members.filter { !["answer", "claims"].contains($0.0) }))
      comparison.sentToken = AuthReplay.sentToken(in: request) ?? comparison.sentToken
      let answer = try await exchange(request)
      differences += comparison.differences(answer, in: step, at: "\(index)")
      // Each token gets a second of its own, unless it is compared with the one before.
    }
    return differences
  }

  private func setUp() async throws -> [String] {
    var differences: [String] = []
    if let config = example.config {
      let path = "/identitytoolkit.googleapis.com/v2/projects/demo-auth/config"
      differences += try await must("PATCH", path, config)
    }
    for user in example.users {
      let members = user.members.filter { $0.0 != "providers" }
      differences += try await must("POST", "\(Self.project)/accounts", .object(members))
      for provider in user["providers"]?.elements ?? [] {
        let email = user["email"].map { [("email", $0)] } ?? []
        let link = JSONValue.object([
          ("localId", user["localId"] ?? .null),
          ("linkProviderUserInfo", .object(provider.members + email)),
        ])
        differences += try await must("POST", "\(Self.project)/accounts:update", link)
      }
    }
    return differences
  }

  private func must(_ verb: String, _ path: String, _ body: JSONValue) async throws -> [String] {
    let answer = try await exchange(
      .object([
        ("http", .string(verb)), ("path", .string(path)), ("headers", Self.owner), ("body", body),
      ]))
    return answer["status"]?.number == 200 ? [] : ["setting up gives \(answer.line)"]
  }

  private func exchange(_ request: JSONValue) async throws -> JSONValue {
    var request = request.members
    if let form = JSONValue.object(request)["form"] {
      let text = form.members.map { "\($0.0)=\($0.1.string?.formEncoded ?? "")" }
      request.append(("text", .string(text.joined(separator: "&"))))
      request.removeAll { $0.0 == "headers" }
      request.append(
        (
          "headers",
          .object([("content-type", .string("application/x-www-form-urlencoded"))])
        ))
    }
    return try await ExampleReplay.exchange(.object(request), showing: [], port: port)
  }

  /// Returns the credential of a provider in a request; `nil` for none.
  private static func sentToken(in request: JSONValue) -> String? {
    guard let body = request["body"]?["postBody"]?.string else { return nil }
    for field in body.split(separator: "&") where field.hasPrefix("id_token=") {
      return String(field.dropFirst("id_token=".count)).percentDecoded
    }
    return nil
  }
}

extension JSONValue {
  fileprivate var decimal: Double? {
    switch self {
    case .double(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }
}

extension String {
  fileprivate var formEncoded: String {
    replacing("%", with: "%25").replacing("&", with: "%26").replacing("+", with: "%2B")
      .replacing("=", with: "%3D")
  }
}
