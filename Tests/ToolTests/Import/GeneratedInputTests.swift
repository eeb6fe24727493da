import HearthFirestoreJSON
import Hearth
import TestSupport
import Testing
import hearth

/// Random inputs, cut into random chunks; the seed is printed.
@Suite struct GeneratedInputTests {
  /// A case is a whole input, so there are fewer than elsewhere.
  private static let rounds = GeneratedCases.count(per: 30)

  private struct Generator: RandomNumberGenerator {
    private var numbers: SplitMix64

    init(for test: String = #function) {
      numbers = SplitMix64(seed: GeneratedCases.seed(for: test))
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// Returns text of characters that have a meaning in JSON and CSV, and some others.
    mutating func text() -> String {
      let alphabet = Array("\",\\{}[]\n\r\t :aé東e\u{301}🗼7.-")
      return String(
        (0..<Int.random(in: 0...12, using: &self)).map { _ in
          alphabet.randomElement(using: &self) ?? "x"
        })
    }

    mutating func input(_ bytes: [UInt8], name: String = "input") throws -> InputBytes {
      var rest = bytes[...]
      var generator = self
      return try InputBytes(
        ByteSource(name: name, byteCount: nil) { maximum in
          let count = Int.random(in: 1...min(maximum, 40), using: &generator)
          let chunk = Array(rest.prefix(count))
          rest = rest.dropFirst(chunk.count)
          return chunk
        })
    }
  }

  @Test func csvComesBack() throws {
    var random = Generator()
    for _ in 0..<Self.rounds {
      let columns = (0..<Int.random(in: 2...5, using: &random)).map { "column \($0)" }
      let lineEnd = Bool.random(using: &random) ? "\n" : "\r\n"
      var text = columns.joined(separator: ",") + lineEnd
      var expected: [MapValue] = []
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let cells = columns.map { _ in random.text() }
        text +=
          cells.map { cell in
            let needsQuotes = cell.utf8.contains { [.quote, .comma, .newline, 13].contains($0) }
            let quoted =
              "\""
              + String(
                cell.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
                  .reduce(into: "".unicodeScalars) { $0.append($1) }) + "\""
            return needsQuotes || Bool.random(using: &random) ? quoted : cell
          }.joined(separator: ",") + lineEnd
        expected.append(MapValue(zip(columns, cells.map { Value.string($0) })))
      }
      let types = try columns.map { try TypedField("`\($0)`:string") }
      let reader = try CSVReader(
        random.input(Array(text.utf8)), converter: ValueConverter(types: types, database: .default))
      #expect(try records(reader).map(\.fields) == expected)
    }
  }

  @Test func arraysAndLinesComeBack() throws {
    var random = Generator()
    for _ in 0..<Self.rounds {
      let documents: [MapValue] = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        let inner: MapValue = [random.text(): .array([.string(random.text()), 7, .null])]
        return [random.text(): .string(random.text()), "x": .map(inner)]
      }
      let objects = documents.map { document in
        var bytes: [UInt8] = []
        PlainJSON.append(document, to: &bytes)
        return bytes
      }
      let lines = Array(objects.joined(separator: "\n".utf8))
      let array = Array("[ ".utf8) + objects.joined(separator: " ,\n".utf8) + Array("\n]".utf8)
      let fromLines = try records(NDJSONReader(random.input(lines)))
      let fromArray = try records(JSONArrayReader(random.input(array)))
      #expect(fromLines.map(\.fields) == documents)
      #expect(fromArray.map(\.fields) == documents)
      #expect(fromLines.map(\.line) == Array(1..<(documents.count + 1)))
      #expect(fromArray.map(\.line) == Array(1..<(documents.count + 1)))
    }
  }

  /// For any bytes, a reader ends with records or with an error, and never stops the process.
  @Test func survivesAnyBytes() throws {
    var random = Generator()
    let pieces: [[UInt8]] =
      [
        "[", "{", "}", "]", ",", "\"", "\\", "\n", "\r\n", "a", "1", ":", "\u{FEFF}",
      ].map { Array($0.utf8) } + [[0x1f, 0x8b], [0xff], [0x00], [0xc3]]
    var errors = 0
    for round in 0..<(3 * Self.rounds) {
      var bytes = (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      if round % 5 == 0 {
        var packed = gzip(bytes + bytes)
        let index = Int.random(in: 2..<packed.count, using: &random)
        packed[index] ^= UInt8.random(in: 1...255, using: &random)
        bytes = packed
      }
      for format in InputFormat.allCases {
        do {
          var input = try random.input(bytes)
          _ = try? InputFormat(of: &input)
          var reader = try format.reader(of: input, converter: converter)
          while try reader.next() != nil {}
        } catch let error as InputError {
          #expect(error.kind == .malformed || error.kind == .damaged)
          errors += 1
        }
      }
    }
    if GeneratedCases.areMany() { #expect(errors > Self.rounds) }
  }
}
