import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

/// Names with the same key are told apart by their bytes.
@Suite struct NameKeyCollisionTests {
  /// Names of one size that differ in some of their bytes.
  struct Names: CustomTestStringConvertible {
    let varied: Int
    var before = ""
    var after = ""

    var testDescription: String { "\(before)\(String(repeating: "?", count: varied))\(after)" }

    func random(using random: inout SplitMix64) -> String {
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
      let characters = (0..<varied).map { _ in
        letters[Int.random(in: letters.indices, using: &random)]
      }
      return before + String(characters) + after
    }
  }

  private static let nameLimit = 400_000

  /// Returns two names with the same key; `nil` if none were found.
  private func collision(among names: Names) -> (String, String)? {
    var random = SplitMix64(seed: 1)
    var known: [UInt64: String] = [:]
    for _ in 0..<Self.nameLimit {
      let name = names.random(using: &random)
      let key = FieldName(name).mark.key
      if let other = known.updateValue(name, forKey: key), other != name { return (other, name) }
    }
    return nil
  }

  @Test(arguments: [
    Names(varied: 6), Names(varied: 7, before: "quantity_of_"), Names(varied: 8),
    Names(varied: 8, before: "a"), Names(varied: 12),
    Names(varied: 16), Names(varied: 8, before: "thefirst"), Names(varied: 8, after: "the_last"),
  ])
  func collidingNamesAreTwo(_ names: Names) throws {
    let (name, other) = try #require(collision(among: names))
    let documents: [MapValue] = [[name: 1], [other: 2], [name: 3, other: 4]]
    let records = try documents.map { fields in
      let record = try DocumentRecord(
        fields, of: ResourcePath(unchecked: ["c", "d"]), own: .default)
      return try DocumentRecord(record.bytes, own: .default, notingFields: true)
    }
    var expected = ExpectedFields()
    var columns = FieldColumns([FieldPath(unchecked: [name]), FieldPath(unchecked: [other])])
    for (number, record) in (records + records).enumerated() {
      let fields = try record.fields()
      #expect(try expected.read(record, at: record.root, expectsNames: number > 0))
      try columns.find(in: record)
      let row = columns.row(of: record)
      for (column, name) in [name, other].enumerated() {
        let value = fields[name]
        #expect(try expected.place(of: name, in: record).map { try record.value(at: $0) } == value)
        #expect(try row.value(column) == value)
        #expect(try record.value(ofPlainName: name) == value)
      }
    }
  }
}
