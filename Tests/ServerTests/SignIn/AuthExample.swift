import Foundation
import HearthFirestoreJSON
import Testing

/// A worked exchange of sign-in (`Tests/Fixtures/auth-examples`, whose README explains the form).
struct AuthExample: Sendable, CustomTestStringConvertible {
  let name: String
  /// The accounts at the start.
  let users: [JSONValue]
  /// The switches that aren't as usual; `nil` for none.
  let config: JSONValue?
  let steps: [JSONValue]

  static let all: [AuthExample] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/auth-examples")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
      guard let data = try? Data(contentsOf: folder.appending(path: name)),
        let json = try? JSONValue(parsing: Array(data))
      else { return nil }
      return AuthExample(json)
    }
  }()

  private init(_ json: JSONValue) {
    name = json["name"]?.string ?? ""
    users = json["setup"]?["users"]?.elements ?? []
    config = json["setup"]?["config"]
    steps = json["exchange"]?.elements ?? []
  }

  var testDescription: String { name }
}
