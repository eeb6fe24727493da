import Foundation
import HearthFirestoreJSON
import Testing

/// A recorded exchange (`Tests/Fixtures/wire-examples`, whose README explains the form).
struct WireExample: Sendable, CustomTestStringConvertible {
  let name: String
  let setup: [(String, JSONValue)]
  let steps: [JSONValue]

  static let all: [WireExample] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/wire-examples")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
      guard let data = try? Data(contentsOf: folder.appending(path: name)),
        let json = try? JSONValue(parsing: Array(data))
      else { return nil }
      return WireExample(json)
    }
  }()

  private init(_ json: JSONValue) {
    name = json["name"]?.string ?? ""
    setup = json["setup"]?.members ?? []
    steps = json["exchange"]?.elements ?? []
  }

  var testDescription: String { name }
}

extension JSONValue {
  var number: Int? {
    if case .integer(let number) = self { Int(number) } else { nil }
  }

  /// Returns the value with all strings replaced.
  func replacingStrings(_ replace: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(replace(text))
    case .array(let elements): .array(elements.map { $0.replacingStrings(replace) })
    case .object(let members): .object(members.map { ($0, $1.replacingStrings(replace)) })
    default: self
    }
  }
}
