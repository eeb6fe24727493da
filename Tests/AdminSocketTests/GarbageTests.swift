import HearthAdminSocket
import HearthDocumentModel
import HearthFirestoreJSON
import Foundation
import Hearth
import TestSupport
import Testing

/// Input that no tool sends: nothing traps, and the next client is served.
@Suite struct GarbageTests {
  @Test(arguments: [
    "no JSON", "{", "[]", "{}", "null", "{\"call\":7}", "{\"call\":\"echo\"}",
    "{\"call\":\"echo\",\"parameters\":[]}", "{\"call\":\"echo\",\"parameters\":{\"count\":\"1\"}}",
    "\u{0}", "{\"call\":\"echo\",\"parameters\":{\"count\":1e300}}",
  ])
  func aWrongLineIsAnsweredByAnError(line: String) throws {
    let server = try EchoServer()
    // A second line, so that the server ends the connection where the first did not.
    let answer = try server.answer(to: Array((line + "\nno JSON\n").utf8))
    #expect(answer.hasPrefix("{\"error\":{\"code\":\"INVALID_ARGUMENT\""), "\(answer)")
    #expect(try server.echo(2) == [0, 1])
  }

  @Test func randomBytesDoNoHarm() throws {
    let count = GeneratedCases.count(unlessTold: 50)
    var generator = SplitMix64(seed: GeneratedCases.seed(count: count))
    let server = try EchoServer()
    for _ in 0..<count {
      let count = Int.random(in: 0...300, using: &generator)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      bytes.append(UInt8(ascii: "\n"))
      // In any case, this line ends the connection.
      _ = try server.answer(to: bytes + Array("\n\n".utf8))
    }
    #expect(try server.echo(2) == [0, 1])
  }

  @Test func aLineWithoutAnEndIsGivenUp() throws {
    let server = try EchoServer()
    do {
      let socket = try UnixSocket.connected(to: server.server.path)
      try socket.write(Array("{\"call\":\"ec".utf8))
    }
    #expect(try server.echo(2) == [0, 1])
  }

  @Test func aLineThatIsTooLongEndsTheConnection() throws {
    let server = try EchoServer(maximumLineByteCount: 1_000)
    let answer = try server.answer(to: [UInt8](repeating: 0x20, count: 500_000))
    #expect(answer.isEmpty || answer.contains("longer than"), "\(answer.prefix(200))")
    #expect(try server.echo(2) == [0, 1])
  }

  /// Names of members in the calls' parameters.
  private static let members = [
    "query", "aggregations", "extent", "readTime", "definition", "definitions", "collectionGroup",
    "names", "fields", "pace", "isAwaited", "change", "present", "file", "prunes",
    "isCovering", "areKept", "queryScope", "indexes", "sampleCount", "seed", "offsetSeconds",
    "countsEntries",
  ]

  /// Every call of a real database, with members of wrong types or out of all bounds: each gets an
  /// answer, and the application survives.
  @Test func hostileParametersDoNoHarm() throws {
    let folder = try TemporaryFolder()
    let database = try Database.open(at: folder.path(of: "a.hearth"))
    for number in 0..<3 { try database.document("a/\(number)").setData(["b": .integer(1)]) }
    let socket = folder.path(of: "a.hearth/admin.sock")
    let long = "\"" + String(repeating: "x", count: 100_000) + "\""
    let values = [
      "1e300", "-1e300", "-1", "9223372036854775807", "-9223372036854775808", "null", "[]", "{}",
      "[null]", "[1e300]", "\"\"", "\"\\u0000\"", long, "[\(long)]", "true",
    ]
    var parameters = values.map { value in
      "{" + Self.members.map { "\"\($0)\":\(value)" }.joined(separator: ",") + "}"
    }
    // The same values beside well-formed ones.
    parameters += values.map { value in
      [
        #"{"change":"create","definitions":[],"#,
        #""definition":{"collectionGroup":"a","queryScope":"COLLECTION","#,
        #""columns":[{"names":["b"],"mode":"ASCENDING"}]},"collectionGroup":"a","names":["b"],"#,
        #""query":{"parent":[],"query":{"from":[{"collectionId":"a"}],"limit":\#(value)}},"#,
        #""pace":{"documentsPerSecond":\#(value),"maximumMicroseconds":\#(value)},"#,
        #""offsetSeconds":\#(value),"sampleCount":\#(value),"seed":\#(value),"#,
        #""aggregations":\#(value),"readTime":\#(value)}"#,
      ].joined()
    }
    for call in Database.calls where call != WatchCall.self {
      for parameters in parameters {
        let line = "{\"call\":\"\(call.name)\",\"parameters\":\(parameters)}\nno JSON\n"
        let answer = try rawAnswer(to: Array(line.utf8), at: socket)
        let isAnswered = ["{\"error\":", "{\"answer\":", "{\"item\":"].contains {
          answer.hasPrefix($0)
        }
        #expect(
          isAnswered,
          "\(call.name) \(parameters.prefix(300)): \(answer.prefix(300))")
      }
    }
    #expect(try database.verify().isClean)
    try database.close()
  }

  /// Calls of a real database, with parameters of wrong kinds.
  @Test func callsOfWrongShapesAreRefused() throws {
    let folder = try TemporaryFolder()
    let database = try Database.open(at: folder.path(of: "a.hearth"))
    let names = [
      "query", "count", "aggregate", "explain", "indexes not used", "index change", "field indexes",
    ]
    let parameters = [
      "{}", "[]", "7", "{\"query\":{}}", "{\"query\":{\"parent\":[\"\"],\"query\":{}}}",
      "{\"query\":{\"parent\":[\"a\"],\"query\":{\"from\":7}},\"aggregations\":{}}",
      "{\"query\":{\"parent\":[],\"query\":{\"limit\":-1}},\"aggregations\":[],\"extent\":\"x\"}",
      "{\"change\":\"drop\",\"definition\":"
        + "{\"collectionGroup\":\"\",\"queryScope\":\"COLLECTION\",\"columns\":[]}}",
      "{\"change\":\"drop\",\"definition\":"
        + "{\"collectionGroup\":\"a/b\",\"queryScope\":\"X\",\"columns\":[]}}",
      "{\"collectionGroup\":\"a\",\"names\":[]}",
    ]
    let socket = folder.path(of: "a.hearth/admin.sock")
    for name in names {
      for parameters in parameters {
        let line = "{\"call\":\"\(name)\",\"parameters\":\(parameters)}\nno JSON\n"
        let answer = try rawAnswer(to: Array(line.utf8), at: socket)
        // A call may name an index without columns in correct form, but there is none.
        let isRefused = ["INVALID_ARGUMENT", "NOT_FOUND"].contains { code in
          answer.hasPrefix("{\"error\":{\"code\":\"\(code)\"")
        }
        #expect(isRefused, "\(name) \(parameters): \(answer)")
      }
    }
    let answer = try rawAnswer(to: Array("{\"call\":\"nonsense\"}\nno JSON\n".utf8), at: socket)
    #expect(answer.hasPrefix("{\"error\":{\"code\":\"UNIMPLEMENTED\""), "\(answer)")
    try database.close()
  }
}
