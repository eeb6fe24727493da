import Hearth
import Testing
import hearth

@Suite struct NDJSONReaderTests {
  @Test(arguments: [1, 3, 64])
  func splitsLines(chunkByteCount: Int) throws {
    let text = "\u{FEFF}{\"a\":1}\n\n  \r\n{\"é\":2}\r\n\t{}  \n{\"b\":3}"
    let bytes = try input(text, chunkByteCount: chunkByteCount)
    let found = try records(NDJSONReader(bytes))
    #expect(found.map(\.line) == [1, 4, 5, 6])
    #expect(found.map(\.fields) == [["a": 1], ["é": 2], [:], ["b": 3]])
  }

  @Test func readsNothingFromNothing() throws {
    for text in ["", "\u{FEFF}", "\n\n"] {
      #expect(try records(NDJSONReader(input(text))).isEmpty)
    }
  }

  @Test func namesTheLineOfABadRecord() throws {
    var reader = NDJSONReader(
      try input("{}\n\n {nonsense\n[\n{\"after\": 1}", name: "cities.ndjson"))
    #expect(try reader.next()?.line == 1)
    #expect(
      message { _ = try reader.next() }
        == "cities.ndjson, line 3, column 3: expected a name in double quotes, found \"n\". "
        + "Every line must be one whole JSON object.")
    #expect(
      message { _ = try reader.next() }
        == "cities.ndjson, line 4, column 2: expected a value, found the end. "
        + "For a file that is one JSON array say --format json.")
    #expect(try reader.next()?.line == 5)
  }

  @Test func boundsTheRecord() throws {
    let count = InputBytes.recordByteCount + 1
    let bytes = try InputBytes(source([UInt8](repeating: 0x20, count: count)))
    var reader = NDJSONReader(bytes)
    #expect(message { _ = try reader.next() }.contains("longer than 16 MiB"))
  }

  @Test func refusesUTF16() {
    #expect(
      message { _ = try InputBytes(source([0xff, 0xfe, 0x7b, 0x00])) }
        == "input: this is UTF-16. Convert it: iconv -f UTF-16 -t UTF-8.")
  }
}

@Suite struct JSONArrayReaderTests {
  @Test(arguments: [1, 2, 5, 64])
  func splitsElements(chunkByteCount: Int) throws {
    let text = """
      \u{FEFF} [
        {"a": [1, {"b": "]}\\"{["}]}
        , {
          "c": "\\\\"
        },{} ]

      """
    let bytes = try input(text, chunkByteCount: chunkByteCount)
    let found = try records(JSONArrayReader(bytes))
    #expect(found.map(\.line) == [2, 3, 5])
    #expect(
      found.map(\.fields) == [["a": [1, ["b": "]}\"{["]]], ["c": "\\"], [:]])
  }

  @Test func readsTheEmptyArray() throws {
    #expect(try records(JSONArrayReader(input(" [ ] \n"))).isEmpty)
  }

  @Test(arguments: [
    ("", "line 1: there is no array. For one JSON object a line say --format ndjson."),
    ("{}", "line 1: there is no array. For one JSON object a line say --format ndjson."),
    ("[", "line 1: the array is not closed. The file may have been cut; fetch it again."),
    ("[{}\n", "line 2: the array is not closed. The file may have been cut; fetch it again."),
    (
      "[{},\n{\"a\": \"b",
      "line 2, element 2: the file ends inside of this element. "
        + "The file may have been cut; fetch it again."
    ),
    (
      "[{\"a\":\\",
      "line 1, element 1: the file ends inside of this element. "
        + "The file may have been cut; fetch it again."
    ),
    (
      "[{},\n 7]",
      "line 2, element 2: this is no object. "
        + "Every element must be an object with a document's fields."
    ),
    (
      "[{},\n]",
      "line 2, element 2: this is no object. "
        + "Every element must be an object with a document's fields."
    ),
    ("[{}\n{}]", "line 2: a comma or the array's end is missing after element 1."),
    (
      "[,{}]",
      "line 1, element 1: this is no object. "
        + "Every element must be an object with a document's fields."
    ),
    (
      "[{}]\n[{}]", "line 2: there is more after the array's end. A file must hold one array only."
    ),
    (
      "[{}, {]]",
      "line 1, element 2: expected a name in double quotes, found \"]\", at its character 2."
    ),
    (
      "[{},\n{\n  ]]", "line 3, column 3, element 2: expected a name in double quotes, found \"]\"."
    ),
  ])
  func namesTheElementAndLine(text: String, expected: String) throws {
    let message = message {
      _ = try records(JSONArrayReader(input(text)))
    }
    #expect(message == "input, \(expected)")
  }
}
