import HearthDocumentModel
import HearthStorageFormat
import Testing

/// A record gives its memory to the next one if it has no other reference.
@Suite struct RecordReuseTests {
  private func bytes(_ text: String) throws -> [UInt8] {
    let path = try ResourcePath("c/\(text.utf8.count)")
    return try DocumentRecord(["text": .string(text)], of: path, own: .default).byteArray
  }

  private static func noted(_ bytes: [UInt8]) throws -> DocumentRecord? {
    try DocumentRecord(bytes.span.bytes, own: .default, notingFields: true)
  }

  private func replace(
    _ record: inout DocumentRecord?, by bytes: [UInt8]
  ) throws -> DocumentRecord {
    try DocumentRecord.replace(&record, by: bytes.span.bytes, own: .default)
  }

  @Test func memoryIsTakenFromARecordOfOneReference() throws {
    var record: DocumentRecord? = try DocumentRecord(bytes("a longer text"), own: .default)
    let before = record.map(ObjectIdentifier.init)
    let next = try bytes("short")
    let new = try replace(&record, by: next)
    #expect(record.map(ObjectIdentifier.init) == before && record === new)
    #expect(new.byteArray == next && new.path.description == "c/5")
    #expect(try new.fields() == ["text": "short"])
  }

  @Test func recordsOfOthersStayAsTheyAre() throws {
    let text = try bytes("a longer text")
    var record: DocumentRecord? = try DocumentRecord(text, own: .default)
    let kept = record
    let next = try bytes("short")
    let new = try replace(&record, by: next)
    #expect(new !== kept && record === new)
    #expect(kept?.byteArray == text && new.byteArray == next)
  }

  @Test(arguments: [1, 100, 5000])
  func largerRecordsGetMemoryOfTheirOwn(_ factor: Int) throws {
    var record: DocumentRecord?
    for count in [1, 2, 3, 2, 1] {
      let text = String(repeating: "t", count: count * factor)
      let new = try replace(&record, by: bytes(text))
      #expect(try new.fields() == ["text": .string(text)])
    }
  }

  @Test func damagedBytesLeaveTheRecord() throws {
    let text = try bytes("a longer text")
    var record: DocumentRecord? = try DocumentRecord(text, own: .default)
    #expect(throws: CorruptBytes.self) { try replace(&record, by: [9, 9]) }
    #expect(record?.byteArray == text)
  }

  @Test func notedPlacesAreForgotten() throws {
    let noted = try bytes("a longer text")
    var record = try Self.noted(noted)
    let path = try ResourcePath("c/d")
    let next = try DocumentRecord(["u": 1], of: path, own: .default).byteArray
    let new = try replace(&record, by: next)
    #expect(try new.value(ofPlainName: "text") == nil && new.value(ofPlainName: "u") == 1)
  }
}
