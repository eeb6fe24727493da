import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct OrderedUIntTests {
  @Test func orderOfBytesIsOrderOfNumbers() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    func number() -> UInt64 {
      let bits = random.next() &>> UInt64.random(in: 0...63, using: &random)
      return random.oneIn(3) ? bits & 0x1FF : bits
    }
    for _ in 0..<GeneratedCases.count {
      let (left, right) = (number(), random.oneIn(4) ? 128 : number())
      var (a, b): ([UInt8], [UInt8]) = ([], [])
      a.appendOrdered(left)
      b.appendOrdered(right)
      #expect(a.span.bytes.compare(b.span.bytes) == Ordering(left, right))
      var reader = ByteReader(a.span.bytes)
      #expect(try reader.readOrdered("number") == left)
      try reader.requireEnd()
    }
  }

  @Test(arguments: [[0x81, 0x7F], [0x82, 0, 0x80], [0x80], [0x89], [0x82, 1], []] as [[UInt8]])
  func otherFormsAreRefused(_ bytes: [UInt8]) {
    #expect(throws: CorruptBytes.self) {
      var reader = ByteReader(bytes.span.bytes)
      _ = try reader.readOrdered("number")
    }
  }
}
