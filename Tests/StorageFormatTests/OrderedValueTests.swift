import HearthDocumentModel
import HearthStorageFormat
import Testing

@Suite struct OrderedValueTests {
  let own = DatabaseID.default

  func encoded(_ value: Value, _ order: ColumnOrder = .ascending) -> [UInt8] {
    var bytes: [UInt8] = []
    ValueEncoder(own: own).append(value, order, to: &bytes)
    return bytes
  }

  func isCut(_ value: Value) -> Bool {
    var bytes: [UInt8] = []
    return ValueEncoder(own: own).append(value, .ascending, to: &bytes)
  }

  /// The bytes on disk, pinned: a change here is a change of the format.
  @Test func bytesOfTheTable() throws {
    #expect(encoded(.null) == [0x10])
    #expect(encoded(false) == [0x18])
    #expect(encoded(true) == [0x19])
    #expect(encoded(.double(.nan)) == [0x20])
    #expect(encoded(0) == [0x22, 0x00])
    #expect(encoded(1) == [0x22, 0x7F, 0xF0])
    #expect(encoded(42) == [0x22, 0x81, 0x45, 0x80])
    #expect(encoded(-1) == [0x21, 0x80, 0x0F])
    #expect(encoded("a\u{0}\u{1}b") == [0x30, 0x61, 1, 1, 1, 2, 0x62, 0])
    #expect(encoded(.bytes([0, 255])) == [0x38, 1, 1, 255, 0])
    #expect(encoded([.null, "a"]) == [0x50, 0x10, 0x30, 0x61, 0, 0])
    #expect(encoded(["a": true]) == [0x60, 0x30, 0x61, 0, 0x19, 0])
    #expect(encoded(.vector([0])) == [0x58, 0, 0, 0, 1, 0x22, 0])
    let epoch = try Timestamp(microseconds: 0)
    #expect(encoded(.timestamp(epoch)) == [0x28, 0x80, 0, 0, 0, 0, 0, 0, 0])
    #expect(encoded("a", .descending) == [0xCF, 0x9E, 0xFF])
  }

  @Test func equalNumbersAreOneEncoding() {
    #expect(encoded(.integer(42)) == encoded(.double(42)))
    #expect(encoded(.double(-0.0)) == encoded(.integer(0)))
    #expect(encoded(.integer(.min)) == encoded(.double(-0x1p63)))
    #expect(encoded(.double(.nan)) == encoded(.double(-.nan)))
  }

  @Test func integersAboveTheDoublesStayExact() {
    let numbers: [Value] = [
      .double(0x1p53), .integer(1 << 53 + 1), .integer(1 << 53 + 2),
      .double((0x1p53).nextUp.nextUp),
      .integer(.max - 1), .integer(.max), .double(0x1p63), .double(.infinity),
    ]
    let keys = numbers.map { encoded($0) }
    for (low, high) in zip(keys, keys.dropFirst()) where low != high {
      #expect(low.lexicographicallyPrecedes(high))
    }
    #expect(Set(keys).count == numbers.count)
  }

  @Test func smallNumbersAreShort() {
    #expect((0...100).allSatisfy { encoded(.integer($0)).count <= 4 })
    #expect(encoded(.integer(1_000_000)).count <= 5)
    #expect(encoded(.integer(.max)).count == 12)
  }

  /// The order of §2.3: `c/a < c/a/sub/x < c/a! < c/b`, and other databases around the own one.
  @Test func referencesSortByDatabaseAndSegment() throws {
    let other = try (
      DatabaseID(project: "a"), DatabaseID(project: "zz"),
      DatabaseID(project: own.project, database: "(a")
    )
    let names: [(DatabaseID, String)] = [
      (other.0, "z/z"), (other.2, "z/z"), (own, "c/a"), (own, "c/a/sub/x"), (own, "c/a!"),
      (own, "c/b"), (other.1, "a/a"),
    ]
    let keys = try names.map { database, path in
      encoded(.reference(try DocumentName(ResourcePath(path), in: database)))
    }
    for (low, high) in zip(keys, keys.dropFirst()) {
      #expect(low.lexicographicallyPrecedes(high))
    }
  }

  /// Only the first 1,500 bytes count (§3.6).
  @Test func longValuesAreCutWhereTheIndexStopsLooking() {
    let full = String(repeating: "x", count: 1_500)
    #expect(!isCut(.string(full)))
    #expect(isCut(.string(full + "y")))
    #expect(encoded(.string(full + "y")) == encoded(.string(full + "z")))
    #expect(encoded(.string(full)) != encoded(.string(full + "z")))
    #expect(!isCut([.string(full)]))
    #expect(isCut([.string(full), .null]))
    #expect(encoded([.string(full), .null]) == encoded([.string(full), true, 1]))
    #expect(isCut(.vector([Double](repeating: 1, count: 189))))
    #expect(!isCut(.vector([Double](repeating: 1, count: 188))))
    #expect(encoded(.bytes([UInt8](repeating: 0, count: 9_000))).count == 1 + 3_000 + 1)
  }

  @Test func ofACutValueWholeCharactersAreKept() throws {
    let value = Value.string(String(repeating: "x", count: 1_499) + "\u{E9}z")
    let bytes = encoded(value)
    var offset = 0
    let kept = try OrderedValue.decode(
      from: bytes.span.bytes, at: &offset, .ascending, own: own)
    #expect(kept == .string(String(repeating: "x", count: 1_499)))
    #expect(offset == bytes.count)
  }

  @Test func namesComeBackInBothDirections() throws {
    for order in [ColumnOrder.ascending, .descending] {
      var bytes: [UInt8] = [9]
      let path = ResourcePath(unchecked: ["c", "a\u{0}", "d", "\u{1F600}"])
      OrderedName.append(documentID: "x\u{1}", order, to: &bytes)
      OrderedName.append(path: path, order, to: &bytes)
      var offset = 1
      let id = try OrderedName.documentID(from: bytes.span.bytes, at: &offset, order)
      #expect(id.utf8Equal("x\u{1}"))
      #expect(try OrderedName.path(from: bytes.span.bytes, at: &offset, order) == path)
      #expect(offset == bytes.count)
    }
  }
}
