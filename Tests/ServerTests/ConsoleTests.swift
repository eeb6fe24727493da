import Foundation
import HearthServer
import ServerTestClient
import Testing

/// The files of the console. What a person does with them is tested in a browser, by
/// `Tools/console-tests`.
@Suite(.timeLimit(.minutes(5))) struct ConsoleTests {
  /// An answer: its status, and its text with the head.
  private struct Answer {
    let status: String
    let text: String

    var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined() }
  }

  private static func get(
    _ path: String, _ headers: [String] = [], method: String = "GET", of server: TestServer
  ) async throws -> Answer {
    let connection = try await PlainConnection.connect(to: server.port)
    let head = [
      "\(method) \(path) HTTP/1.1", "Host: localhost:\(server.port)", "Connection: close",
    ]
    try await connection.send((head + headers + ["", ""]).joined(separator: "\r\n"))
    let text = await connection.text()
    let status = text.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
    return Answer(status: String(status), text: text)
  }

  private static func with(
    _ change: (inout HearthServer) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var server = HearthServer(databases: .inMemory)
    change(&server)
    try await TestServer.with(server, body)
  }

  @Test func browsersAreLedToIt() async throws {
    try await Self.with { server in
      let browser = try await Self.get("/", ["Accept: text/html,*/*"], of: server)
      #expect(browser.status == "307" && browser.text.contains("location: /console/\r\n"))
      let tool = try await Self.get("/", ["Accept: */*"], of: server)
      #expect(tool.status == "200" && tool.body == "Ok\n")
    }
  }

  @Test func allFilesAreThereAndLoadNothingElse() async throws {
    try await Self.with { server in
      var (waiting, known, byteCount) = (["", "setting.json"], Set<String>(), 0)
      while let name = waiting.popLast() {
        guard known.insert(name).inserted else { continue }
        let answer = try await Self.get("/console/\(name)", of: server)
        #expect(answer.status == "200", "\(name)")
        let headers = [
          "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
          "frame-ancestors 'none'", "x-content-type-options: nosniff",
          "cross-origin-resource-policy: same-origin",
        ]
        for header in headers { #expect(answer.text.contains(header), "\(name): \(header)") }
        byteCount += answer.body.utf8.count
        let loads = try Regex(
          #"(?:from "\./|src="|href=")([a-z]+\.[a-z]+)""#,
          as: (Substring, Substring).self)
        waiting += answer.body.matches(of: loads).map { String($0.output.1) }
        // Text of documents must never be read as markup or code.
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
          #expect(!answer.body.contains(word), "\(name): \(word)")
        }
        #expect(!answer.body.contains("//cdn") && !answer.body.contains("import(\"http"), "\(name)")
      }
      #expect(known.count > 12 && byteCount < 200_000, "\(known): \(byteCount)")
      let missing = try await Self.get("/console/nosuch.js", of: server)
      #expect(missing.status == "404")
    }
  }

  @Test(arguments: [
    ("Origin: http://localhost:1", "403"), ("Origin: https://localhost:PORT", "403"),
    ("Origin: http://localhost:PORT", "200"), ("Origin: http://evil.example", "403"),
    ("Sec-Fetch-Site: cross-site", "403"), ("Sec-Fetch-Site: same-site", "403"),
    ("Sec-Fetch-Site: same-origin", "200"),
    ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", "200"),
    ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe", "403"),
  ])
  func otherPagesCantLoadIt(header: String, status: String) async throws {
    try await Self.with { server in
      let header = header.replacing("PORT", with: "\(server.port)")
      let answer = try await Self.get("/console/main.js", [header], of: server)
      #expect(answer.status == status)
    }
  }

  @Test func itsFilesNeedNoTokenAndTheDataDoes() async throws {
    try await Self.with {
      $0.tokens = ["a-token-0123456789"]
    } _: { server in
      let setting = try await Self.get("/console/setting.json", of: server)
      #expect(setting.body.contains(#""authorization":"token""#), "\(setting)")
      let page = try await Self.get("/console/", of: server)
      #expect(page.status == "200")
      let documents = "/v1/projects/demo-project/databases/(default)/documents/c"
      for (method, path) in [("GET", documents), ("POST", "/console/"), ("GET", "/")] {
        let answer = try await Self.get(path, method: method, of: server)
        #expect(answer.status == "401", "\(method) \(path)")
      }
    }
  }

  @Test func itCanBeLeftOut() async throws {
    try await Self.with {
      $0.servesConsole = false
    } _: { server in
      let page = try await Self.get("/console/", of: server)
      let root = try await Self.get("/", ["Accept: text/html"], of: server)
      #expect(page.status == "404" && root.body == "Ok\n")
    }
  }
}
