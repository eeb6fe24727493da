import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct DocumentRecordTests {
  let own = DatabaseID.default
  let generator = ValueGenerator()

  private func document(_ random: inout SplitMix64) throws -> Document {
    Document(
      path: generator.documentPath(using: &random), fields: generator.fields(using: &random),
      createTime: try Timestamp(microseconds: -5), updateTime: .maximum)
  }

  private func record(_ document: Document) -> [UInt8] {
    var bytes: [UInt8] = []
    DocumentRecord.append(document, own: own, to: &bytes)
    return bytes
  }

  @Test func documentsComeBackExactly() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    for _ in 0..<GeneratedCases.count {
      let document = try document(&random)
      let read = try DocumentRecord(record(document), own: own)
      #expect(read.path == document.path)
      #expect(read.createTime == document.createTime && read.updateTime == .maximum)
      #expect(try read.document() == document, "\(document)")
    }
  }

  @Test func singleFieldsAreReadWithoutTheOthers() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    var foundCount = 0
    for _ in 0..<GeneratedCases.count {
      let document = try document(&random)
      let read = try DocumentRecord(record(document), own: own)
      var names = document.fields.randomElement(using: &random).map { [$0.name] } ?? ["none"]
      while case .map(let map)? = document.fields[FieldPath(unchecked: names)], random.oneIn(2) {
        names.append(map.randomElement(using: &random)?.name ?? random.pick(ValueGenerator.names))
      }
      if random.oneIn(4) { names[names.count - 1] = random.pick(ValueGenerator.names) }
      let path = FieldPath(unchecked: names)
      let value = try read.value(at: path)
      #expect(value == document.fields[path], "\(path) of \(document)")
      if value != nil { foundCount += 1 }
    }
    if GeneratedCases.areMany() { #expect(foundCount * 2 > GeneratedCases.count) }
  }

  /// The bytes on disk, pinned: a change here is a change of the format.
  @Test func bytesOfTheTable() throws {
    let fields: MapValue = [
      "a": -1, "b": ["x", .null], "m": ["n": true],
      "r": .reference(try DocumentName(ResourcePath("c/d"), in: own)),
    ]
    let document = Document(
      path: try ResourcePath("c/d"), fields: fields,
      createTime: try Timestamp(microseconds: 1), updateTime: try Timestamp(microseconds: 2))
    let path: [UInt8] = [2, 1, 0x63, 1, 0x64]
    #expect(
      record(document) == [1, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0] + path + [4]
        + [1, 0x61, 3, 1] + [1, 0x62, 11, 5, 2, 6, 1, 0x78, 0] + [1, 0x6D, 13, 4, 1, 1, 0x6E, 2]
        + [1, 0x72, 8, 5] + path)
  }

  @Test func referencesToTheOwnDatabaseFollowIt() throws {
    let name = try DocumentName(ResourcePath("c/d"), in: own)
    let document = Document(
      path: name.path, fields: ["r": .reference(name)], createTime: .minimum, updateTime: .minimum)
    let other = try DatabaseID(project: "moved")
    let fields = try DocumentRecord(record(document), own: other).fields()
    #expect(fields["r"] == .reference(try DocumentName(name.path, in: other)))
  }

  @Test func damagedRecordsAreRefusedOrRead() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    var (refusedCount, readCount) = (0, 0)
    for _ in 0..<GeneratedCases.count {
      var bytes = record(try document(&random))
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let index =
          random.oneIn(4) ? bytes.count - 1 : Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes.insert(random.pick([0, 1, 0x7F, 0x80, 0xFF]), at: index)
        default: bytes.removeSubrange(index...)
        }
      }
      do {
        let record = try DocumentRecord(bytes, own: own)
        _ = try? record.value(at: FieldPath(unchecked: [random.pick(ValueGenerator.names)]))
        _ = try record.document()
        readCount += 1
      } catch { refusedCount += 1 }
    }
    print("  refused \(refusedCount), read \(readCount)")
    if GeneratedCases.areMany() { #expect(refusedCount > 0 && readCount > 0) }
  }

  @Test func randomBytesAreRefusedOrRead() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let header: [UInt8] = [1] + [UInt8](repeating: 0, count: 16) + [2, 1, 0x63, 1, 0x64]
    for _ in 0..<GeneratedCases.count {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        random.oneIn(2)
          ? UInt8.random(in: 0...255, using: &random)
          : UInt8.random(
            in: 0...14, using: &random)
      }
      let record = try? DocumentRecord(header + bytes, own: own)
      _ = try? record?.document()
      _ = try? record?.value(at: FieldPath(unchecked: ["a", "b"]))
    }
  }

  @Test func wrongUTF8AndEndlessNestingAreRefused() throws {
    let header = Array(
      record(
        Document(
          path: try ResourcePath("c/d"), fields: [:], createTime: .minimum, updateTime: .minimum)
      ).dropLast())
    func fields(_ bytes: [UInt8]) throws -> MapValue {
      try DocumentRecord(header + bytes, own: own).fields()
    }
    #expect(try fields([1, 1, 0x61, 6, 2, 0xC3, 0xA9]) == ["a": "\u{E9}"])
    #expect(throws: CorruptBytes.self) { try fields([1, 1, 0x61, 6, 1, 0xC3]) }
    #expect(throws: CorruptBytes.self) { try fields([1, 1, 0xFF, 0]) }
    // "b" before "a", and "a" twice.
    #expect(throws: CorruptBytes.self) { try fields([2, 1, 0x62, 0, 1, 0x61, 0]) }
    #expect(throws: CorruptBytes.self) { try fields([2, 1, 0x61, 0, 1, 0x61, 0]) }
    var deep: [UInt8] = [0]
    for _ in 0..<10_000 {
      var array: [UInt8] = [11]
      array.appendVarint(deep.count + 1)
      deep = array + [1] + deep
    }
    #expect(throws: CorruptBytes.self) { try fields([1, 1, 0x61] + deep) }
  }
}
