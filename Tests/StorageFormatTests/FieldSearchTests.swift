import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

/// One field is found in the stored bytes as in the decoded document.
@Suite struct FieldSearchTests {
  private static let path = ResourcePath(unchecked: ["tasks", "one"])

  private static func record(_ fields: MapValue) throws -> DocumentRecord {
    try DocumentRecord(fields, of: path, own: .default)
  }

  /// Names that share prefixes, are as long as a mark, and longer.
  private static let names = [
    "a", "ab", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmnop",
    "abcdefghijklmnopq", "b", "title", "z_9",
  ]

  private static let values: [Value] = [
    .null, true, false, 0, -1, .integer(.max), 1.5, .string(""), .string("short"),
    .string(String(repeating: "x", count: 127)), .string(String(repeating: "y", count: 128)),
    .string(String(repeating: "z", count: 16_384)), .string("Größe"), .bytes([1, 2, 3]),
    .array([1, "two"]), .vector([1, 2]), .map(["inner": 1]),
    .timestamp(.minimum),
  ]

  @Test func everyFieldIsFoundBehindEveryOther() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count(per: 10) {
      var fields = MapValue()
      for name in Self.names where Bool.random(using: &random) {
        fields[name] = Self.values.randomElement(using: &random)
      }
      let record = try Self.record(fields)
      let noted = try DocumentRecord(record.bytes, own: .default, notingFields: true)
      for name in Self.names + ["", "c", "zz"] {
        #expect(try record.value(ofPlainName: name) == fields[name], "\(name) of \(fields)")
        #expect(try noted.value(ofPlainName: name) == fields[name], "\(name) of noted \(fields)")
      }
    }
  }

  /// Cut and changed bytes give a value, nothing or an error, and never a trap.
  @Test func damagedFieldsDoNotTrap() throws {
    var fields = MapValue()
    for (name, value) in zip(Self.names, Self.values.dropFirst(8)) { fields[name] = value }
    let bytes = try Self.record(fields).byteArray.prefix(400)
    var random = SplitMix64(seed: GeneratedCases.seed())
    var outcomes = 0
    for _ in 0..<GeneratedCases.count(per: 2) {
      var damaged = Array(bytes.prefix(Int.random(in: 30...bytes.count, using: &random)))
      damaged[Int.random(in: 17..<damaged.count, using: &random)] = .random(
        in: 0...255, using: &random)
      guard let record = try? DocumentRecord(damaged, own: .default) else { continue }
      for name in Self.names { if (try? record.value(ofPlainName: name)) != nil { outcomes += 1 } }
    }
    #expect(outcomes > 0)
  }

  /// The last value of a record that was cut is damaged for searches that pass it, too.
  @Test(arguments: [
    Value.string("a text of some length"), .integer(.max), .integer(1 << 50),
    .vector([1, 2]),
  ])
  func passingACutValueIsReported(_ value: Value) throws {
    let bytes = try Self.record(["a": 1, "b": value]).byteArray
    let cut = try DocumentRecord(Array(bytes.dropLast()), own: .default)
    #expect(throws: CorruptBytes.self) { try cut.value(ofPlainName: "c") }
    #expect(throws: CorruptBytes.self) { try cut.map(at: cut.root) }
    #expect(try cut.value(ofPlainName: "a") == 1)
    let whole = try DocumentRecord(bytes, own: .default)
    #expect(try whole.value(ofPlainName: "c") == nil)
  }

  @Test func plainNamesAreKnownAtEveryLength() {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let characters = (0...127 as ClosedRange<UInt8>).map { String(UnicodeScalar($0)) } + ["é", "日"]
    for character in characters {
      let isLetter = character == "_" || letters.contains(character.lowercased())
      let isDigit = "0123456789".contains(character)
      #expect(character.isPlainFieldName == isLetter, "\(character)")
      for length in 1...18 {
        for place in 0...length {
          let text =
            String(repeating: "k", count: place) + character
            + String(repeating: "k", count: length - place)
          #expect(
            text.isPlainFieldName == (isLetter || (isDigit && place > 0)), "\(text)")
        }
      }
    }
    #expect(!"".isPlainFieldName)
  }
}
