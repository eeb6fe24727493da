// The messages on the socket: JSON objects, one a line, in UTF-8.
//
//   server, once             {"hearth":1,"process":4711,"command":"app","database":{…}}
//   client, for each call    {"call":"verify","parameters":{…}}
//   server, any number       {"item":{…}}
//   server, at the end       {"answer":{…}}  or  {"error":{"code":"NOT_FOUND","message":"…"}}
//   server, in closing       {"closing":true}
//
// A client sends its next call after the answer to the one before. Either side ends the connection
// by closing it; a call that runs then is abandoned as soon as it notices. A server that closes
// while no call runs sends the closing line, which may also take the place of a hello. A call that
// receives it was not begun, and can be made again elsewhere.

package import HearthDocumentModel
package import HearthFirestoreJSON
import HearthReports

/// The rules for both sides.
enum AdminWire {
  /// The version of the protocol. It is raised when older tools could no longer understand the
  /// answers.
  static let version = 1
  /// The size in bytes of the longest line; a longer one ends the connection. A document has at
  /// most 1 MiB, and JSON may triple it.
  static let maximumLineByteCount = 64 << 20
}

/// The introduction of the server, its first line.
package struct AdminHello: Codable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case version = "hearth"
    case process, command
    case databaseID = "database"
  }

  package let version: Int
  /// The application's process, as the server sees it.
  package let process: Int
  /// The name of the application's program; empty if it isn't known.
  package let command: String
  package let databaseID: DatabaseID

  init(process: Int, command: String, databaseID: DatabaseID) {
    version = AdminWire.version
    self.process = process
    self.command = command
    self.databaseID = databaseID
  }

  /// The application as errors name it: `process 4711 (app)`.
  package var application: String {
    command.isEmpty ? "process \(process)" : "process \(process) (\(command))"
  }
}

/// A call as it was received. The performer that knows its name interprets the parameters.
package struct AdminRequest {
  package let name: String
  package let parameters: JSONValue

  init(_ json: JSONValue) throws(DatabaseError) {
    let line = try AdminDecoder.read(Line.self, from: json)
    name = line.call
    parameters = line.parameters ?? .object([])
  }

  private struct Line: Decodable {
    let call: String
    let parameters: JSONValue?
  }

  /// Appends the line of a call.
  package static func append<Call: AdminCall>(_ call: Call, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"call\":".utf8)
    Call.name.appendJSON(to: &bytes)
    bytes.append(contentsOf: ",\"parameters\":".utf8)
    AdminEncoder.append(call, to: &bytes)
    bytes.append(contentsOf: "}\n".utf8)
  }
}

/// One line of an answer.
enum AdminReply {
  case item(JSONValue)
  case answer(JSONValue)
  case error(DatabaseError)
  case closing

  init(_ json: JSONValue) throws(DatabaseError) {
    if case .object(let members) = json {
      for (name, content) in members {
        switch name {
        case "item": self = .item(content)
        case "answer": self = .answer(content)
        case "error": self = .error(try AdminDecoder.read(ReportedError.self, from: content).error)
        case "closing": self = .closing
        default: continue
        }
        return
      }
    }
    throw AdminDecoder.invalid("answer")
  }

  /// Appends one line of an answer: the message under its name.
  static func append(_ name: String, _ message: some Encodable, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"\(name)\":".utf8)
    AdminEncoder.append(message, to: &bytes)
    bytes.append(contentsOf: "}\n".utf8)
  }

  /// Appends the line that announces the closing.
  static func appendClosing(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"closing\":true}\n".utf8)
  }
}
