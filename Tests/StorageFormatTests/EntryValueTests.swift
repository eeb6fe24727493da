import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct EntryValueTests {
  private func value(
    _ number: UInt64, _ flags: [ColumnFlags] = [], vector: [Double] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    EntryValue.append(documentNumber: number, flags: flags, vector: vector, to: &bytes)
    return bytes
  }

  @Test func plainEntriesAreTheNumberAlone() throws {
    let plain = [ColumnFlags("a", isCut: false), ColumnFlags(3, isCut: false)]
    #expect(value(300, plain) == [0xAC, 0x02])
    let bytes = value(300, plain)
    let read = try EntryValue.read(bytes.span.bytes)
    #expect(read.documentNumber == 300 && !read.anyCut)
    #expect(try EntryValue.flags(at: 1, in: bytes.span.bytes) == .none)
  }

  @Test func flagsOfValues() {
    func kind(_ value: Value) -> NumberKind { ColumnFlags(value, isCut: false).kind }
    func isInexact(_ value: Value) -> Bool { ColumnFlags(value, isCut: false).isInexact }
    #expect(kind(3) == .integerIfWhole)
    #expect(kind(.double(3)) == .double)
    #expect(kind(3.5) == .integerIfWhole)
    #expect(kind(.double(0x1p63)) == .integerIfWhole)
    #expect(kind(.double(-0x1p63)) == .double)
    #expect(kind(.double(0.0)) == .double)
    #expect(kind(.double(-0.0)) == .negativeZero)
    #expect(!isInexact([1, 2.5, "a"]))
    #expect(isInexact([.double(1)]))
    #expect(isInexact(["m": ["n": .double(1)]]))
    #expect(!isInexact(.vector([1, 2])))
    #expect(isInexact(.vector([1, -0.0])))
    #expect(ColumnFlags("long", isCut: true).isCut)
  }

  @Test func flagsAreFoundByColumn() throws {
    let cut = ColumnFlags("long", isCut: true)
    let bytes = value(1 << 50, [.none, cut, .none, ColumnFlags(.double(1), isCut: false), .none])
    let read = try EntryValue.read(bytes.span.bytes)
    #expect(read.documentNumber == 1 << 50 && read.anyCut)
    #expect(try EntryValue.flags(at: 0, in: bytes.span.bytes) == .none)
    #expect(try EntryValue.flags(at: 1, in: bytes.span.bytes) == cut)
    #expect(try EntryValue.flags(at: 3, in: bytes.span.bytes).kind == .double)
    #expect(try EntryValue.flags(at: 4, in: bytes.span.bytes) == .none)
    #expect(try EntryValue.flags(at: .max, in: bytes.span.bytes) == .none)
    #expect(try EntryValue.flags(at: -1, in: bytes.span.bytes) == .none)
  }

  @Test func vectorsFollowTheFlags() throws {
    let elements = [1.5, -0.0, .infinity]
    let cut = ColumnFlags("long", isCut: true)
    for flags in [[], [ColumnFlags.none], [.none, cut, .none]] {
      let bytes = value(300, flags, vector: elements)
      let read = try EntryValue.read(bytes.span.bytes)
      #expect(read.documentNumber == 300 && read.anyCut == flags.contains(cut))
      for (column, flag) in flags.enumerated() {
        #expect(try EntryValue.flags(at: column, in: bytes.span.bytes) == flag)
      }
      // No column is found among the vector's bytes.
      #expect(try EntryValue.flags(at: 9, in: bytes.span.bytes) == .none)
      var found = [0.0, 0, 0]
      try EntryValue.readVector(into: &found, from: bytes.span.bytes)
      #expect(found.map(\.bitPattern) == elements.map(\.bitPattern))
      var shorter = [0.0, 0]
      #expect(throws: CorruptBytes.self) {
        try EntryValue.readVector(into: &shorter, from: bytes.span.bytes)
      }
      #expect(throws: CorruptBytes.self) {
        let damaged = Array(bytes.dropLast())
        return try EntryValue.read(damaged.span.bytes)
      }
    }
    #expect(
      value(5, vector: [1]) == [0x05, 0x10, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
  }

  private func stored(_ bytes: [UInt8]) throws -> [UInt8]? {
    guard let record = try EntryValue.record(in: bytes.span.bytes) else { return nil }
    return record.withUnsafeBytes { Array($0) }
  }

  @Test func recordsFollowTheFlags() throws {
    let record: [UInt8] = [1, 0x20, 0, 3]
    let cut = ColumnFlags("long", isCut: true)
    for flags in [[], [.none, cut, .none]] {
      var bytes: [UInt8] = []
      EntryValue.append(documentNumber: 300, flags: flags, record: record, to: &bytes)
      #expect(try EntryValue.read(bytes.span.bytes).documentNumber == 300)
      #expect(try EntryValue.read(bytes.span.bytes).anyCut == flags.contains(cut))
      // No column is found among the record's bytes.
      #expect(try EntryValue.flags(at: 9, in: bytes.span.bytes) == .none)
      #expect(try stored(bytes) == record)
      let plain = value(300, flags)
      #expect(try EntryValue.withoutRecord(bytes) == plain)
      #expect(try EntryValue.withoutRecord(plain) == plain)
      #expect(try stored(plain) == nil)
    }
    var long: [UInt8] = []
    let tooLong = [UInt8](repeating: 1, count: EntryValue.recordByteCountLimit + 1)
    EntryValue.append(documentNumber: 5, record: tooLong, to: &long)
    #expect(long == [5])
  }

  @Test(
    arguments: [
      [], [0x80], [0x80, 0x00], [0x01, 0x10], [0x01, 0x03], [0x01, 0x11], [0x01, 0x20],
    ] as [[UInt8]]
      + [[UInt8](repeating: 0xFF, count: 12)])
  func damagedValuesAreRefused(_ bytes: [UInt8]) {
    #expect(throws: CorruptBytes.self) { try EntryValue.read(bytes.span.bytes) }
  }
}
