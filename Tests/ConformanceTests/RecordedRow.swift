import HearthDocumentModel
import HearthFirestoreJSON
import Foundation

/// One recorded step: a request and production's answer.
struct RecordedRow: Sendable, CustomStringConvertible {
  let program: String
  let step: String
  let theme: String
  let kind: String
  let seed: String
  let indexes: String
  /// Place in a program whose steps build on each other.
  let sequence: Int64?
  let parent: String
  let request: JSONValue?
  let explainOptions: JSONValue?
  let readTime: JSONValue?
  let transaction: JSONValue?
  let rawBody: String?
  let expect: JSONValue

  var description: String { "\(program)#\(step)" }

  init(_ json: JSONValue) throws {
    func text(_ name: String) throws -> String {
      guard let text = json[name]?.string else { throw UnreadableRow(name: name) }
      return text
    }
    program = try text("program")
    step = try text("step")
    theme = try text("theme")
    kind = try text("kind")
    seed = try text("seed")
    indexes = try text("indexes")
    parent = try text("parent")
    sequence = json["sequence"]?.integer
    request = json["request"]
    explainOptions = json["explainOptions"]
    readTime = json["readTime"]
    transaction = json["transaction"]
    rawBody = json["rawBody"]?.string
    guard let expect = json["expect"] else { throw UnreadableRow(name: "expect") }
    self.expect = expect
  }

  /// Returns production's answers, in the order of the file.
  static func all() throws -> [RecordedRow] { try rows(of: "dev.ndjson") }

  /// Returns the answers that this project has fixed beside those: answers that are known of
  /// production but not recorded, and the rulings of *Semantics*.
  static func own() throws -> [RecordedRow] { try rows(of: "own.ndjson") }

  private static func rows(of file: String) throws -> [RecordedRow] {
    let text = try Recording.text(file)
    return try text.split(separator: UInt8(ascii: "\n")).map {
      try RecordedRow(JSONValue(parsing: Array($0)))
    }
  }
}

struct UnreadableRow: Error {
  let name: String
}

/// The files of the recording.
enum Recording {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/conformance")

  static func text(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }

  static func json(_ path: String) throws -> JSONValue { try JSONValue(parsing: text(path)) }
}
