import Testing
import hearth

/// Tables on narrow terminals, and tables whose rows come one by one.
@Suite struct TableLayoutTests {
  /// Six indexes of one collection, as `hearth stats` lists them.
  private static let indexes: [[String]] = [
    "carrier:asc flight:asc time_hour:desc", "carrier:asc dest:asc", "carrier:asc origin:asc",
    "carrier:asc tailnum:asc", "carrier:asc arr_delay:desc", "carrier:asc dep_delay:desc",
  ].enumerated().map { place, fields in
    [
      "composite", "flights", "COLLECTION", fields, "READY", "-", "-", "1\(place).2 MiB",
      "\(place)", place == 0 ? "-" : "2026-11-26T22:46:59.699299Z", "336,776",
    ]
  }
  private static let columns: [TextTable.Column] = [
    .init("kind"), .init("collection"), .init("scope"), .init("fields", isWhole: true),
    .init("state"), .init("entries", .right), .init("bytes", .right), .init("on disk", .right),
    .init("queries", .right), .init("last used"), .init("writes", .right),
  ]

  private static func table(width: Int) -> String {
    var table = TextTable(columns)
    for row in indexes { table.append(row) }
    return table.text(width: width, advice: "see all")
  }

  @Test func indexesAreToldApartOnANarrowTerminal() {
    #expect(
      Self.table(width: 80) == """
        kind       fields                                  on disk  queries  last used
        ─────────  ─────────────────────────────────────  ────────  ───────  ───────────
        composite  carrier:asc flight:asc time_hour:desc  10.2 MiB        0  -
        composite  carrier:asc dest:asc                   11.2 MiB        1  2026-11-26…
        composite  carrier:asc origin:asc                 12.2 MiB        2  2026-11-26…
        composite  carrier:asc tailnum:asc                13.2 MiB        3  2026-11-26…
        composite  carrier:asc arr_delay:desc             14.2 MiB        4  2026-11-26…
        composite  carrier:asc dep_delay:desc             15.2 MiB        5  2026-11-26…
        the same in all rows: collection flights, scope COLLECTION, state READY, entrie…

        """)
  }

  @Test(arguments: [40, 60, 80, 100, 120, 200])
  func noLineIsWiderThanTheTerminal(width: Int) {
    let lines = Self.table(width: width).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.displayWidth <= max(width, 48) }, "\(lines)")
    for row in Self.indexes { #expect(lines.contains { $0.contains(row[3]) }) }
  }

  @Test func nothingIsLeftOutWhereThereIsRoom() {
    let lines = Self.table(width: 200).split(separator: "\n")
    #expect(lines.count == 8)
    #expect(lines[0].hasPrefix("kind       collection  scope       fields"))
  }

  @Test func theFirstRowsDecideOnTheWidths() {
    var layout = TableLayout(
      [.init("a"), .init("n", .right), .init("b")], fitting: [["x", "1", "y"]], to: 20)
    #expect(layout.header(.plain) == "a  n  b\n─  ─  ─\n")
    // A later number is never cut, and the last column takes the rest of the line.
    #expect(layout.line(["long", "12345", "text"]) == "…  12345  text\n")
    #expect(layout.line(["x", "1", String(repeating: "z", count: 30)]).count == 21)
    var unbound = TableLayout([.init("a"), .init("b")], fitting: [["x", "y"]], to: nil)
    #expect(unbound.line(["long", "text"]) == "long  text\n")
  }

  @Test func aConstantColumnThatVariesLaterIsNoConstant() {
    let rows = [["1", "yes", "a lot of text"], ["2", "yes", "other text"]]
    var layout = TableLayout([.init("id"), .init("c"), .init("t")], fitting: rows, to: 16)
    #expect(layout.notes(.plain, advice: nil) == "the same in all…\n")
    _ = layout.line(["3", "no", "text"])
    #expect(layout.notes(.plain, advice: nil) == "1 more column: c\n")
  }

  @Test func longValuesGoOnInFurtherLines() {
    var table = TextTable([.init("field", isWhole: true), .init("value", .wrapped)])
    table.append(["name", "one two three four five six"])
    table.append(["n", "1"])
    #expect(
      table.text(width: 20) == """
        field  value
        ─────  ─────────────
        name   one two three
               four five six
        n      1

        """)
  }
}

@Suite struct WrappedTextTests {
  @Test(arguments: [
    ("", 5, [""]), ("abc", 3, ["abc"]), ("abcdefg", 3, ["abc", "def", "g"]),
    ("ab cd ef", 5, ["ab cd", "ef"]), ("a bcdefgh", 6, ["a bcde", "fgh"]),
    ("東京都庁", 4, ["東京", "都庁"]), ("東京都庁", 5, ["東京", "都庁"]), ("ab", 1, ["ab"]),
  ])
  func breaksAtSpaces(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(toWidth: width) == lines)
  }
}

@Suite struct VerticalRecordTests {
  private func text(_ width: Int?) -> String {
    VerticalRecord([("id", "1"), ("long name", "one two three four"), ("none", "")]).text(
      title: "7",
      OutputStyle(
        format: .vertical, isTerminal: width != nil, terminalWidth: width,
        environment: ["TERM": "dumb"]))
  }

  @Test func hasALineForEachField() {
    #expect(text(nil) == "─[ 7 ]─\nid         1\nlong name  one two three four\nnone\n")
    #expect(
      text(27)
        == "─[ 7 ]─\nid         1\nlong name  one two three\n           four\nnone\n")
  }
}

@Suite struct CSVTextTests {
  @Test func quotesWhatNeedsQuotes() {
    #expect(CSVText.line(["a", "b c", "1"]) == "a,b c,1\n")
    #expect(
      CSVText.line(["a,b", "say \"x\"", "two\nlines", "\r"])
        == "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\"\r\"\n")
    #expect(CSVText.line([""]) == "\"\"\n")
    #expect(CSVText.line(["", ""]) == ",\n")
  }
}
