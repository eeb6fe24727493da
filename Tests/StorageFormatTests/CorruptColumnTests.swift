import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

/// Damaged columns are refused or read; they never trap.
@Suite struct CorruptColumnTests {
  let own = DatabaseID.default

  /// Reads `bytes` in every way, and checks that readable values are as the encoder writes them.
  private func read(_ bytes: [UInt8], _ order: ColumnOrder) -> Bool {
    let end = try? OrderedValue.endOfValue(in: bytes.span.bytes, at: 0, order)
    var offset = 0
    let decoded = try? OrderedValue.decode(
      from: bytes.span.bytes, at: &offset, order, own: own)
    var nameOffset = 0
    _ = try? OrderedName.documentID(from: bytes.span.bytes, at: &nameOffset, order)
    _ = try? OrderedName.path(from: bytes.span.bytes, at: &nameOffset, order)
    guard let decoded else { return false }
    #expect(end == offset)
    let column = Array(bytes[..<offset])
    let mask: UInt8 = order == .ascending ? 0 : 0xFF
    var again: [UInt8] = []
    ValueEncoder(own: own).append(decoded, order, to: &again)
    #expect(again == column || column.last.map { $0 ^ mask } == 0xFF, "\(decoded)")
    return true
  }

  @Test(arguments: [ColumnOrder.ascending, .descending])
  func changedColumns(_ order: ColumnOrder) {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let generator = ValueGenerator()
    var readCount = 0
    for _ in 0..<GeneratedCases.count {
      var bytes: [UInt8] = []
      ValueEncoder(own: own).append(generator.value(using: &random), order, to: &bytes)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes.insert(random.pick([0, 1, 0xFE, 0xFF]), at: index)
        default: bytes.removeSubrange(index...)
        }
        if bytes.isEmpty { break }
      }
      if read(bytes, order) { readCount += 1 }
    }
    print("  read \(readCount)")
    guard GeneratedCases.areMany() else { return }
    #expect(readCount > 0 && readCount < GeneratedCases.count)
  }

  @Test func randomBytes() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let labels: [UInt8] = [
      0x00, 0x10, 0x19, 0x20, 0x21, 0x22, 0x28, 0x30, 0x38, 0x40, 0x41, 0x42, 0x48, 0x50, 0x58,
      0x60, 0x01, 0xFF,
    ]
    for _ in 0..<GeneratedCases.count {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        random.oneIn(3) ? UInt8.random(in: 0...255, using: &random) : random.pick(labels)
      }
      _ = read(bytes, random.oneIn(2) ? .ascending : .descending)
    }
  }

  @Test func endlessNestingIsRefused() {
    let bytes = [UInt8](repeating: 0x50, count: 1_000_000)
    #expect(throws: CorruptBytes.self) {
      try OrderedValue.endOfValue(in: bytes.span.bytes, at: 0, .ascending)
    }
    var offset = 0
    #expect(throws: CorruptBytes.self) {
      try OrderedValue.decode(from: bytes.span.bytes, at: &offset, .ascending, own: own)
    }
    #expect(offset == 0)
  }

  @Test(arguments: [-1, 3, 4, Int.max])
  func offsetsOutsideAreRefused(_ offset: Int) {
    let bytes: [UInt8] = [0x10, 0x10, 0x10]
    #expect(throws: CorruptBytes.self) {
      try OrderedValue.endOfValue(in: bytes.span.bytes, at: offset, .ascending)
    }
  }
}
