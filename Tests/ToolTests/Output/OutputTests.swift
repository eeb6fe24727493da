import HearthAdminSocket
import HearthDocumentModel
import HearthFirestoreJSON
import Hearth
import HearthOrderedStore
import Testing
import hearth

@Suite struct TextTableTests {
  private func table() -> TextTable {
    var table = TextTable([.init("id"), .init("name"), .init("population", .right)])
    table.append(["1850147", "東京", "9,733,276"])
    table.append(["x", "e\u{301}a 🗼\n\u{1b}[2J", "7"])
    table.append(["short"])
    return table
  }

  @Test func alignsByDisplayWidth() {
    #expect(
      table().text(width: nil) == """
        id       name              population
        ───────  ────────────────  ──────────
        1850147  東京               9,733,276
        x        éa 🗼\\n\\u{1b}[2J           7
        short

        """)
  }

  @Test func fitsTheTerminal() {
    let lines = table().text(width: 32).split(separator: "\n")
    #expect(lines.allSatisfy { String($0).displayWidth <= 32 })
    #expect(lines[2] == "1850147  東京          9,733,276")
    #expect(lines[3] == "x        éa 🗼\\n\\u{…           7")
    // It becomes no narrower than is readable.
    #expect(table().text(width: 1).split(separator: "\n")[2] == "1850147")
  }

  @Test func printsTheHeaderAlone() {
    #expect(TextTable([.init("a"), .init("b")]).text(width: 80) == "a  b\n─  ─\n")
    #expect(TextTable([]).text(width: 80) == "\n\n")
    let narrow = TextTable([.init("kind"), .init("collection"), .init("scope")]).text(width: 17)
    #expect(
      narrow == """
        kind  collection
        ────  ──────────
        1 more column: s…

        """)
  }

  @Test func styles() {
    let text = TextTable([.init("a")]).text(width: 80, style: .coloured)
    #expect(text == "\u{1b}[1ma\u{1b}[0m\n\u{1b}[2m─\u{1b}[0m\n")
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("ﾄ", 1), ("서울", 4), ("🗼", 2),
    ("👨‍👩‍👧", 2), ("❤\u{fe0f}", 2), ("\u{200b}", 0), ("شهرک", 4), ("\u{7}", 0), ("\r\n", 0),
    // A vowel sign that stands beside its consonant takes a column, one above it doesn't.
    ("\u{0ba4}\u{0bc1}", 2), ("\u{0ba4}\u{0bcd}", 1), ("\u{0915}\u{093f}", 2),
    ("\u{0e01}\u{0e33}", 2), ("\u{0e81}\u{0eb3}", 2), ("\u{0e01}\u{0e34}", 1),
  ])
  func counts(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("東京都", 6, "東京都"), ("東京都", 5, "東京…"), ("東京都", 4, "東…"), ("abc", 1, "…"), ("abc", 0, ""),
    ("abc", -1, ""),
  ])
  func cuts(text: String, width: Int, expected: String) {
    #expect(text.cut(toWidth: width) == expected)
  }
}

@Suite struct OutputStyleTests {
  @Test func isForPeopleOnTerminalsOnly() {
    let terminal = OutputStyle(
      format: nil, isTerminal: true, terminalWidth: 120, environment: [:])
    #expect(terminal.form == .tables)
    #expect(terminal.text == .coloured)
    #expect(terminal.width == 120)

    let json = OutputStyle(format: .json, isTerminal: true, terminalWidth: nil, environment: [:])
    #expect(json.form == .jsonLines)
    #expect(json.width == 80)

    let pipe = OutputStyle(format: nil, isTerminal: false, terminalWidth: nil, environment: [:])
    #expect(pipe.form == .jsonLines)
    #expect(pipe.text == .plain)
    #expect(pipe.width == nil)
  }

  @Test(arguments: [
    (["NO_COLOR": "1"], TextStyle.plain), (["NO_COLOR": ""], .coloured), (["TERM": "dumb"], .plain),
    (["TERM": "xterm"], .coloured),
  ])
  func coloursCanBeOff(environment: [String: String], style: TextStyle) {
    let output = OutputStyle(
      format: nil, isTerminal: true, terminalWidth: 80, environment: environment)
    #expect(output.text == style)
  }
}

@Suite struct ExitStatusTests {
  @Test func followsTheCause() {
    #expect(ExitStatus(DatabaseError(.failedPrecondition, "")) == .refused)
    #expect(ExitStatus(DatabaseError(.invalidArgument, "")).rawValue == 65)
    #expect(ExitStatus(DatabaseError(.unavailable, "")).rawValue == 74)
    #expect(ExitStatus(DatabaseError(.dataLoss, "")).rawValue == 74)
    #expect(ExitStatus(DatabaseError(.deadlineExceeded, "")).rawValue == 75)
    #expect(ExitStatus(InputError.Kind.missing).rawValue == 66)
    for code in DatabaseError.Code.allCases {
      #expect(ExitStatus(DatabaseError(code, "")) != .done)
    }
  }

  /// An error with a cause and one without: one code stands for a full disk and for a limit.
  @Test func isTheSameForAnErrorFromTheSocket() throws {
    let details: [(any DatabaseError.Details)?] = [nil, FailedBuild()]
    let causes: [(any Error)?] = [nil, StoreError(.full, "There is no room.", cause: "ENOSPC")]
    for code in DatabaseError.Code.allCases {
      for details in details {
        for cause in causes {
          let error = DatabaseError(code, "It is so.", details: details, cause: cause)
          var bytes: [UInt8] = []
          AdminEncoder.append(ReportedError(error), to: &bytes)
          let received = try AdminDecoder.read(
            ReportedError.self, from: JSONValue(parsing: bytes))
          #expect(ExitStatus(received.error) == ExitStatus(error), "\(error), \(cause as Any)")
          #expect(
            received.error.cause.map { "\($0)" } == cause.map { "\($0)" }, "\(error)")
        }
      }
    }
  }

  @Test func isListed() {
    #expect(
      ExitStatus.helpText.hasPrefix(
        "   0  done\n   1  refused: an index is missing (the hint is printed)"))
    #expect(ExitStatus.helpText.split(separator: "\n").count == ExitStatus.allCases.count)
  }
}

@Suite struct LatencyHistogramTests {
  @Test func tellsPercentiles() {
    var histogram = LatencyHistogram()
    #expect(histogram.nanoseconds(atPercentile: 50) == 0)
    #expect(histogram.drawing(width: 80).isEmpty)
    for microsecond in 1...1000 { histogram.record(nanoseconds: Int64(microsecond) * 1000) }
    #expect(histogram.count == 1000)
    for (percent, expected) in [(50.0, 500_000.0), (90, 900_000), (99, 990_000)] {
      let found = Double(histogram.nanoseconds(atPercentile: percent))
      #expect(abs(found - expected) / expected < 0.002, "\(percent): \(found)")
    }
    #expect(abs(histogram.maximumNanoseconds - 1_000_000) < 1000)
  }

  @Test func takesAnyTime() {
    var histogram = LatencyHistogram()
    for time in [Int64.min, -1, 0, 1, .max] { histogram.record(nanoseconds: time) }
    #expect(histogram.count == 5)
    #expect(histogram.maximumNanoseconds >= 3_600_000_000_000)
    #expect(histogram.drawing(width: 80).hasPrefix("  0 ns …  10 ns  ████"))
    #expect(histogram.drawing(width: 80).split(separator: "\n").last?.hasSuffix("  1") == true)
  }

  @Test func countsABorderWithWhatFollows() {
    var histogram = LatencyHistogram()
    for time in [10, 19, 20] { histogram.record(nanoseconds: Int64(time)) }
    let counts = histogram.drawing(width: 40).split(separator: "\n").map(\.last)
    #expect(counts == ["2", "1"])
  }

  @Test func drawsFromTheShortestToTheLongest() {
    var histogram = LatencyHistogram()
    for _ in 0..<8000 { histogram.record(nanoseconds: 9_999) }
    for _ in 0..<1500 { histogram.record(nanoseconds: 10_000) }
    histogram.record(nanoseconds: 150_000)
    #expect(
      histogram.drawing(width: 54) == """
          5 µs …  10 µs  ██████████████████████████████  8,000
         10 µs …  20 µs  █████▋                          1,500
         20 µs …  50 µs                                      0
         50 µs … 100 µs                                      0
        100 µs … 200 µs  ▏                                   1

        """)
  }
}
