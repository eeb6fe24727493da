import Foundation
import Testing

/// The properties of `hearth bench` that golden scripts can't show: figures that differ by the run.
@Suite struct BenchTests {
  private static func withDatabase(_ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder in
      let documents = (0..<50).map { #"{"id": "\#($0)", "c": "\#($0 % 5)", "n": \#($0)}"# + "\n" }
      let run = try await ToolRun.run(
        ["import", "cities", "-", "--id-field", "id", "--db", "a.hearth"],
        input: Array(documents.joined().utf8), in: folder)
      #expect(run.status == 0, "\(run.errors)")
      try await body(folder)
    }
  }

  /// Returns the report as JSON.
  private static func bench(_ arguments: String, in folder: URL) async throws -> [String: Any] {
    let run = try await ToolScript.shell(
      "hearth bench \(arguments) --json --db a.hearth", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(object as? [String: Any])
  }

  private static func cases(_ report: [String: Any]) throws -> [[String: Any]] {
    try #require(report["cases"] as? [[String: Any]])
  }

  private static func figure(_ path: String, of object: [String: Any]) throws -> Double {
    let value = path.split(separator: ".").reduce(object as Any?) { value, name in
      (value as? [String: Any])?[String(name)]
    }
    return try #require(value as? Double, "\(path)")
  }

  // MARK: Arrival

  /// All queries arrive within some two milliseconds, and the last one waits for all others. If
  /// each followed the one before, half of them would take at most a thousandth of the time.
  @Test func aLatencyCountsFromTheArrival() async throws {
    try await Self.withDatabase { folder in
      let arguments = "cities --operations 2000 --readers 1 --seed 1"
      let waiting = try Self.cases(
        try await Self.bench("\(arguments) --rate 1000000/s", in: folder))[0]
      let seconds = try Self.figure("seconds", of: waiting)
      #expect(try Self.figure("total.nanoseconds.max", of: waiting) > seconds * 1e9 / 2)
      let following = try Self.cases(try await Self.bench(arguments, in: folder))[0]
      let time = try Self.figure("seconds", of: following)
      #expect(try Self.figure("total.nanoseconds.p50", of: following) < time * 1e9 / 900)
    }
  }

  /// Every arrival is counted, also if there is no time to serve it.
  @Test func unservedArrivalsAreReported() async throws {
    try await Self.withDatabase { folder in
      let report = try await Self.bench(
        "cities --duration 20ms --rate 1000000/s --readers 2 --seed 1 --decode", in: folder)
      let load = try Self.cases(report)[0]
      let runs = try Self.figure("total.runs", of: load)
      let unserved = try Self.figure("total.unserved", of: load)
      #expect(unserved > 0)
      #expect(abs(runs + unserved - 20_000) < 1_000, "\(runs) and \(unserved)")
      let query = try #require((load["queries"] as? [[String: Any]])?.first)
      #expect(try Self.figure("unserved", of: query) == unserved)
    }
  }

  // MARK: Loads

  @Test func eachNumberOfReadersIsALoad() async throws {
    try await Self.withDatabase { folder in
      let report = try await Self.bench(
        "cities --where 'c == ?' --operations 60 --readers 1,2,3 --seed 5", in: folder)
      let cases = try Self.cases(report)
      #expect(cases.map { $0["readers"] as? Int } == [1, 2, 3])
      for load in cases {
        #expect(try Self.figure("total.runs", of: load) == 60)
        #expect(try Self.figure("total.perRun.entries", of: load) == 10)
        let timeline = try #require(load["timeline"] as? [String: Any])
        #expect((timeline["reads"] as? [Int])?.reduce(0, +) == 60)
      }
    }
  }

  @Test func weightsAreKept() async throws {
    try await Self.withDatabase { folder in
      try Data("a *9: get cities/?\nb: cities limit 1\n".utf8)
        .write(to: folder.appending(path: "queries"))
      let load = try Self.cases(
        try await Self.bench("--queries queries --operations 4000 --seed 2", in: folder))[0]
      let queries = try #require(load["queries"] as? [[String: Any]])
      let runs = try queries.map { try Self.figure("runs", of: $0) }
      #expect(runs.reduce(0, +) == 4000)
      #expect((3400...3800).contains(runs[0]), "\(runs)")
    }
  }

  @Test func aSavedRunHasAllFigures() async throws {
    try await Self.withDatabase { folder in
      let printed = try await Self.bench(
        "cities --where 'n >= ?' --operations 500 --cold --save a.json", in: folder)
      let bytes = try Data(contentsOf: folder.appending(path: "a.json"))
      let saved = try #require(try JSONSerialization.jsonObject(with: bytes) as? NSDictionary)
      #expect(saved == printed as NSDictionary)
      let load = try Self.cases(printed)[0]
      let latency = "total.nanoseconds"
      let times = try ["p50", "p90", "p99", "p999", "max"].map {
        try Self.figure("\(latency).\($0)", of: load)
      }
      #expect(times == times.sorted())
      #expect(try Self.figure("\(latency).spread.p50.low", of: load) > 0)
      #expect((printed["conditions"] as? [String: Any])?["isCold"] as? Bool == true)
    }
  }

  // MARK: The page

  @Test func thePageNeedsNothingElse() async throws {
    try await Self.withDatabase { folder in
      let query = "a: cities where c != \"<b>&\" limit 3\nb: get cities/?\n"
      try Data(query.utf8).write(to: folder.appending(path: "queries"))
      let run = try await ToolScript.shell(
        "hearth bench --queries queries --operations 300 --readers 1,2 --html a.html --db a.hearth "
          + "--save a.json && hearth bench --queries queries --operations 300 --readers 1,2 "
          + "--html b.html --compare a.json --db a.hearth", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let page = try String(contentsOf: folder.appending(path: "b.html"), encoding: .utf8)
      #expect(!page.contains(/https?:|src=|href=|<script/))
      #expect(page.contains("c != &quot;&lt;b&gt;&amp;&quot; limit 3"))
      #expect(!page.contains("<b>"))
      for title in ["By load", "Beside the saved run", "1 reader", "2 readers"] {
        #expect(page.contains("<h2>\(title)</h2>"), "\(title)")
      }
      #expect(page.contains("<figcaption>Latency by percentile"))
      #expect(!page.contains(/points="[^"]*(nan|inf)/))
    }
  }
}

/// The head of a report: where and when it was measured.
@Suite struct BenchSettingTests {
  @Test func theReportNamesMachineDateAndDatabase() async throws {
    try await withFolder { folder in
      let run = try await ToolScript.shell(
        """
        export HEARTH_DB=a.hearth
        printf 'id,n\\na,1\\nb,2\\n' | hearth import c - --format csv --id-field id 2> /dev/null
        hearth bench c -w 'n == ?' --operations 20 --html page.html --save run.json
        """, in: folder)
      #expect(run.status == 0, "\(run)")
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(lines[0].hasPrefix("hearth "))
      #expect(lines[1].contains(" processor") && lines[1].contains("; "), "\(lines[1])")
      let database = /^a\.hearth, 2 documents, [0-9.]+ (bytes|KiB); measured 20\d\d-\S+Z$/
      #expect(lines[2].contains(database), "\(lines[2])")
      let page = try String(contentsOf: folder.appending(path: "page.html"), encoding: .utf8)
      for line in lines[1...2] { #expect(page.contains("<p>\(line).</p>"), "\(line)") }
      let saved = try JSONSerialization.jsonObject(
        with: Data(contentsOf: folder.appending(path: "run.json")))
      let setting = try #require((saved as? [String: Any])?["setting"] as? [String: Any])
      #expect(setting["documentCount"] as? Int == 2)
      #expect((setting["machine"] as? [String: Any])?["system"] is String)
    }
  }
}
