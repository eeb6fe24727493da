// The records under the keys `h`:
//
//   version      1 byte, 1
//   documents    one varint each: the distance from the number before, doubled, and 1 if the
//                document was read by name

/// A document that was in memory when the database was closed.
package struct HotDocument: Sendable, Equatable {
  private static let version: UInt8 = 1

  package let number: UInt64
  /// Whether it was read by name.
  package let isNamed: Bool

  package init(number: UInt64, isNamed: Bool) {
    self.number = number
    self.isNamed = isNamed
  }

  /// Appends the record of documents in the ascending order of their numbers.
  package static func append(_ documents: some Sequence<HotDocument>, to bytes: inout [UInt8]) {
    bytes.append(version)
    var last: UInt64 = 0
    for document in documents {
      bytes.appendVarint((document.number &- last) << 1 | (document.isNamed ? 1 : 0))
      last = document.number
    }
  }

  /// Returns the documents of a record, in the order of their numbers.
  ///
  /// - Throws: ``CorruptBytes``.
  package static func documents(in bytes: RawSpan) throws(CorruptBytes) -> [HotDocument] {
    var reader = try ByteReader(bytes, version: version)
    var documents: [HotDocument] = []
    var last: UInt64 = 0
    while !reader.isAtEnd {
      let step = try reader.readVarint("hot document")
      let (number, isTooLarge) = last.addingReportingOverflow(step >> 1)
      guard number > last, !isTooLarge else {
        throw CorruptBytes("hot document", at: reader.offset)
      }
      documents.append(HotDocument(number: number, isNamed: step & 1 == 1))
      last = number
    }
    return documents
  }
}
