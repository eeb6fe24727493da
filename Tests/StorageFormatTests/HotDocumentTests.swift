import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct HotDocumentTests {
  private func record(_ documents: [HotDocument]) -> [UInt8] {
    var bytes: [UInt8] = []
    HotDocument.append(documents, to: &bytes)
    return bytes
  }

  @Test func recordsComeBack() throws {
    for numbers in [[], [1], [1, 2, 300, 70_000], [.max >> 1]] as [[UInt64]] {
      let documents = numbers.map { HotDocument(number: $0, isNamed: !$0.isMultiple(of: 2)) }
      #expect(try HotDocument.documents(in: record(documents).span.bytes) == documents)
    }
  }

  @Test func neighboursTakeAByteEach() {
    let documents = (1...1000).map { HotDocument(number: $0, isNamed: true) }
    #expect(record(documents).count == 1001)
  }

  @Test func damagedRecordsAreRefused() {
    let damaged: [[UInt8]] = [
      [], [2], [1, 0x80],
      // The same number twice, and a number beyond the last.
      [1, 2, 0], [1, 2, 1],
      [1] + Array(repeating: [UInt8](repeating: 0xFF, count: 9) + [1], count: 3).joined(),
    ]
    for bytes in damaged {
      #expect(throws: CorruptBytes.self, "\(bytes)") {
        try HotDocument.documents(in: bytes.span.bytes)
      }
    }
  }
}
