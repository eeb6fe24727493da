import Foundation
import HearthDocumentModel
import HearthFirestoreJSON

/// One recorded case: rules, documents, a caller and a request, with the emulator's answer.
struct RulesCase: Sendable, CustomStringConvertible {
  let id: String
  let json: JSONValue

  /// The whole text of the rules.
  let rules: String

  var expect: JSONValue { json["expect"] ?? .null }
  var isCompilation: Bool { json["compile"] != nil }
  var isDoubtful: Bool { json["doubt"] != nil }
  var message: String { expect["message"]?.string ?? "" }

  /// The name with the rules or their condition.
  var description: String { "\(id) \(json["expr"]?.string ?? String(rules.prefix(300)))" }

  static let database = DatabaseID.default
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/rules")

  static let areas = [
    "documents-auth", "fields", "functions-limits", "invalid", "limits", "lists-maps-sets",
    "matching", "methods-errors", "missing-documents-methods", "operators",
    "queries-bounds-aggregations", "queries-groups-params", "queries-names-wildcards", "queries",
    "scenario", "strings-bytes-conversions", "time-geo-math-hash-path", "transactions", "types",
    "writes-batches", "writes",
  ]

  /// Returns the cases of an area in the order of its file.
  static func all(in area: String) throws -> [RulesCase] {
    let bytes = try Data(contentsOf: folder.appending(path: "\(area).ndjson"))
    return try bytes.split(separator: UInt8(ascii: "\n")).map {
      try RulesCase(JSONValue(parsing: Array($0)))
    }
  }

  private init(_ json: JSONValue) throws {
    self.json = json
    id = json["id"]?.string ?? ""
    func part(_ name: String, _ standard: String) -> String { json[name]?.string ?? standard }
    guard let text = json["rules"]?.string else {
      rules = """
        rules_version = '\(part("version", "2"))';
        service cloud.firestore { match /databases/{db}/documents {
        \(part("pre", ""))
        match \(part("match", "/t/x")) { allow \(part("method", "get")): if
        \(part("expr", ""))
        ; } } }
        """
      return
    }
    guard text.hasPrefix("@") else {
      rules = text
      return
    }
    let file = Self.folder.appending(path: "rules/\(text.dropFirst()).rules")
    rules = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}

extension JSONValue {
  /// The bytes of the text, with the names of the project and the database in place.
  var bytes: [UInt8] {
    let database = RulesCase.database
    return Array(
      line.replacing("{DB}", with: "\(database)").replacing("{P}", with: database.project).utf8)
  }
}
