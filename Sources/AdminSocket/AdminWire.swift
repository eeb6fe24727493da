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

package import DocumentModel
package import FirestoreJSON

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
package struct AdminHello: AdminObject {
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

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    version = try members.integer("hearth")
    process = try members.integer("process")
    command = try members.string("command")
    let id = try AdminMembers(try members.value("database"))
    databaseID = try DatabaseID(
      project: try id.string("project"), database: try id.string("database"))
  }

  package var json: JSONValue {
    .members([
      "hearth": .count(version), "process": .count(process), "command": .string(command),
      "database": .members([
        "project": .string(databaseID.project), "database": .string(databaseID.database),
      ]),
    ])
  }

  /// The application as errors name it: `process 4711 (app)`.
  package var application: String {
    command.isEmpty ? "process \(process)" : "process \(process) (\(command))"
  }
}

/// A call as it was received. The performer that knows its name interprets the parameters.
package struct AdminRequest: AdminObject {
  package let name: String
  package let parameters: JSONValue

  init(_ call: some AdminCall) {
    name = type(of: call).name
    parameters = call.json
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    name = try members.string("call")
    parameters = members["parameters"] ?? .object([])
  }

  package var json: JSONValue {
    .members(["call": .string(name), "parameters": parameters])
  }
}

/// One line of an answer.
enum AdminReply {
  case item(JSONValue)
  case answer(JSONValue)
  case error(DatabaseError)
  case closing

  init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    if let item = members["item"] {
      self = .item(item)
    } else if let answer = members["answer"] {
      self = .answer(answer)
    } else if try members.boolean("closing") {
      self = .closing
    } else {
      self = .error(try members.message("error", as: AdminError.self).error)
    }
  }

  /// Appends one line of an answer: the message under its name.
  static func append(_ name: String, _ message: some AdminMessage, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"\(name)\":".utf8)
    message.append(to: &bytes)
    bytes.append(contentsOf: "}\n".utf8)
  }

  /// Appends the line that announces the closing.
  static func appendClosing(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"closing\":true}\n".utf8)
  }
}
