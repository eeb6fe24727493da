import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reports on security rules that golden scripts can't show: files as other programs read them, and
/// texts that try to be part of a report.
@Suite struct RulesCommandTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /notes/{note} { allow get: if request.auth.uid == resource.data.owner; }
      }
    }

    """

  private static func withRules(
    _ cases: String, _ body: (URL) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try Data(rules.utf8).write(to: folder.appending(path: "a.rules"))
      try Data(cases.utf8).write(to: folder.appending(path: "cases"))
      try await body(folder)
    }
  }

  @Test func theReportForServicesIsXML() async throws {
    let name = #"<b>&"'\u0001\u001b[31m\uffff]]>\n é"#
    let cases = """
      {"name": "\(name)", "method": "get", "path": "notes/a", "expect": "allow"}
      {"name": "\(name)", "method": "get", "path": "notes/a", "expect": "deny"}
      """.replacing(#"&"'"#, with: #"&\"'"#)
    try await Self.withRules(cases) { folder in
      let run = try await ToolRun.run(
        ["rules", "test", "a.rules", "cases", "--junit", "report.xml"], in: folder)
      #expect(run.status == 3, "\(run.transcript)")
      #expect(!run.output.contains("\u{1B}"))
      let report = Report()
      let parser = XMLParser(data: try Data(contentsOf: folder.appending(path: "report.xml")))
      parser.delegate = report
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
      #expect(report.elements == ["testsuites", "testsuite", "testcase", "failure", "testcase"])
      let shown = "<b>&\"'\\u{1}\\u{1b}[31m\u{FFFD}]]>\\n é"
      #expect(report.names == ["a.rules", shown, shown])
    }
  }

  @Test func everyLineOfJSONParses() async throws {
    let cases = #"""
      {"method": "get", "path": "notes/a", "before": {"owner": "ann"}, "expect": "deny"}
      {"name": "\"\u0007", "method": "get", "path": "notes/a", "before": {"owner": "ann"}, \#
      "auth": {"uid": "ann", "token": {"n": [1.5, null]}}, "expect": "allow"}
      """#
    try await Self.withRules(cases) { folder in
      for command in [
        "check a.rules", "test a.rules cases", "explain a.rules cases --line 2",
        "coverage a.rules cases",
        "check cases", "test cases a.rules",
      ] {
        let run = try await ToolScript.shell("hearth rules \(command) --json", in: folder)
        for line in run.output.split(separator: "\n") {
          _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
        #expect(!command.hasSuffix("cases") || run.status == (command == "check cases" ? 65 : 0))
      }
    }
  }

  /// Without its elements the page has the text of the rules, and no part of it is an element.
  @Test func thePageHasTheText() async throws {
    let rules = Self.rules.replacing(
      "match /notes/{note} {",
      with: """
        // é 😀 </pre><script>"&amp;\r
        function isNew() { return !('<b>' in resource.data) || request.auth.uid == '😀&"'; }
        match /a/{b} { allow read: if true; allow write: if isNew() && isNew(); }
        match /notes/{note} {
        """)
    try await Self.withRules(#"{"method": "get", "path": "notes/a"}"#) { folder in
      let run = try await ToolRun.run(
        ["rules", "coverage", "-", "cases", "--html", "page.html"], input: Array(rules.utf8),
        in: folder)
      #expect(run.status == 0, "\(run.transcript)")
      let page = try String(contentsOf: folder.appending(path: "page.html"), encoding: .utf8)
      let part = try #require(page.components(separatedBy: "<pre>").last)
      let code = try #require(part.components(separatedBy: "</pre></div>").first)
      #expect(code.ranges(of: "<span ").count == code.ranges(of: "</span>").count)
      // The function, its call, the constant condition, and the field of no document.
      #expect(code.ranges(of: "<span class=\"v\"").count == 4)
      let text = code.replacing(/<[^>]*>/, with: "").replacing("&lt;", with: "<")
        .replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
        .replacing("&amp;", with: "&")
      #expect(text == rules.replacing("\r\n", with: "\n"))
    }
  }

  /// Documents that a server timestamp would change have the time that the case names.
  @Test(arguments: [("09:30:00Z", 0), ("09:30:00.000001Z", 3)])
  func timesAreThoseOfTheCase(_ time: String, _ status: Int32) async throws {
    let cases = """
      {"method": "create", "path": "notes/a", "typed": true, "time": "2026-01-31T10:30:00+01:00", \
      "after": {"at": {"timestampValue": "2026-01-31T\(time)"}}, "expect": "allow"}
      """
    try await Self.withRules(cases) { folder in
      let rules = Self.rules.replacing(
        "allow get: if request.auth.uid == resource.data.owner;",
        with: "allow create: if request.resource.data.at == request.time;")
      let run = try await ToolRun.run(
        ["rules", "test", "-", "cases"], input: Array(rules.utf8), in: folder)
      #expect(run.status == status, "\(run.transcript)")
    }
  }

  /// The elements of a report, and their names, as an XML parser finds them.
  private final class Report: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private(set) var names: [String] = []

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      elements.append(element)
      if let name = attributes["name"] { names.append(name) }
    }
  }
}
