import Hearth
import Testing
import hearth

@Suite struct CSVReaderTests {
  @Test(arguments: [1, 2, 64])
  func readsRowsOfRFC4180(chunkByteCount: Int) throws {
    let lines = [
      "\u{FEFF}name,\"note, \"\"long\"\"\",count", "Tokyo,\"two",
      "lines, and \"\"quotes\"\"\",7", "", "\"\",\"\",", "é,\"x\",1.5",
    ]
    let bytes = try input(lines.joined(separator: "\r\n"), chunkByteCount: chunkByteCount)
    let found = try records(CSVReader(bytes, converter: converter))
    #expect(found.map(\.line) == [2, 5, 6])
    #expect(
      found.map(\.fields) == [
        [
          "name": "Tokyo", "note, \"long\"": "two\r\nlines, and \"quotes\"", "count": 7,
        ],
        [:],
        ["name": "é", "note, \"long\"": "x", "count": 1.5],
      ])
  }

  @Test func keepsCanonicallyEquivalentColumnsApart() throws {
    let bytes = try input("\u{e9},e\u{301}\n1,2")
    let fields = try #require(try records(CSVReader(bytes, converter: converter)).first).fields
    #expect(fields == ["\u{e9}": 1, "e\u{301}": 2])
  }

  @Test func convertsTypedColumns() throws {
    let types = try ["zip:string", "since:timestamp", "place:geopoint"].map(TypedField.init)
    let typed = ValueConverter(types: types, database: .default)
    let bytes = try input(
      "zip,since,place\n0,1970-01-01,\"1,-2\"\n,,\n7,tomorrow,", name: "places.csv")
    var reader = try CSVReader(bytes, converter: typed)
    let first = try #require(try reader.next()).fields
    #expect(
      try first == [
        "zip": "0", "since": .timestamp(Timestamp(microseconds: 0)),
        "place": .geoPoint(GeoPoint(latitude: 1, longitude: -2)),
      ])
    #expect(try reader.next()?.fields == ["zip": ""])
    #expect(
      message { _ = try reader.next() }
        == "places.csv, line 4, field \"since\": \"tomorrow\" is not a timestamp. "
        + "Write it as in 2026-01-31T12:00:00Z, with a zone, or a date alone.")
  }

  @Test(arguments: [
    ("", "there is no header row. The first line must name the fields."),
    ("\n\n", "there is no header row. The first line must name the fields."),
    ("a,,b", "column 2 has no name. \(CSVReaderTests.headerAdvice)"),
    ("a,b,a", "two columns are called \"a\". \(CSVReaderTests.headerAdvice)"),
    (
      "a;b\n1;2",
      "the columns are separated by semicolons, not by commas. Say --delimiter ';'."
    ),
    (
      "a\tb\n1\t2",
      "the columns are separated by tabs, not by commas. Say --delimiter '\\t'."
    ),
    (
      "a,b\n1,2\n3",
      "the row has 1 cells and the header 2. "
        + "A cell that contains the separator must stand in quotes."
    ),
    (
      "a\n1\n\n\"2\n3",
      "the quote that opens cell 1 is never closed. "
        + "Close it; quotes inside of a cell are written twice."
    ),
    (
      "a,b\n1,5\" pipe",
      "cell 2 has a quote inside. "
        + "Put the whole cell in quotes and write the quotes inside twice."
    ),
    (
      "a,b\n\"1\" ,2",
      "there is text after the closing quote of cell 1. "
        + "Quotes inside of a cell are written twice."
    ),
  ])
  func saysWhatIsWrong(text: String, expected: String) {
    let message = message {
      _ = try records(CSVReader(input(text), converter: converter))
    }
    #expect(message.hasSuffix(": \(expected)"), "\(message)")
  }

  private static let headerAdvice =
    "The first line must name the fields, each once, separated by commas."

  @Test func namesTheLineWhereARowBegins() {
    let message = message {
      _ = try records(CSVReader(input("a\n\"1\n1\"\n\"2\n2\"x\n3"), converter: converter))
    }
    #expect(message.hasPrefix("input, line 4: "), "\(message)")
  }

  @Test func namesTypedFieldsWithoutColumn() throws {
    let types = [try TypedField("size:integer")]
    let typed = ValueConverter(types: types, database: .default)
    #expect(
      message { _ = try CSVReader(input("a,b\n1,2"), converter: typed) }
        == "input, line 1: there is no column \"size\". The columns are: a, b.")
  }

  @Test func namesCellsThatAreNotUTF8() throws {
    let bytes = try InputBytes(source(Array("a,b\n1,".utf8) + [0xe9]))
    #expect(
      message { _ = try records(CSVReader(bytes, converter: converter)) }
        == "input, line 2: cell 2 is not UTF-8. "
        + "Convert the file, for instance: iconv -f LATIN1 -t UTF-8.")
  }
}

@Suite struct CellInferenceTests {
  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("-12", -12), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("-0", .double(-0.0)), ("1.0", .double(1)), ("-0.5", -0.5), ("1e3", .double(1000)),
      ("1E-2", 0.01), ("2.5e+1", .double(25)),
      ("true", true), ("false", false),
      ("9223372036854775808", 9_223_372_036_854_775_808.0), ("-9223372036854775809", -0x1p63),
      ("007", "007"), ("+1", "+1"), ("1.", "1."),
      (".5", ".5"), ("1e", "1e"), ("-", "-"), ("1 ", "1 "), ("0x10", "0x10"), ("1e999", "1e999"),
      ("NaN", "NaN"), ("Infinity", "Infinity"), ("TRUE", "TRUE"), ("null", "null"), ("１", "１"),
    ] as [(String, Value)])
  func infersWhatLosesNothing(text: String, value: Value) {
    #expect(Value(cell: text) == value)
  }
}
