package import HearthDocumentModel

// The record under the key `s`, rewritten by every commit:
//
//   version                 1 byte, 1
//   last commit time        8 bytes little-endian, microseconds
//   commit number, next document number, next collection number, next index id,
//   catalogue version       one varint each

/// The state of a database: the numbers and times that the next commit continues from.
package struct StateRecord: Sendable, Equatable {
  private static let version: UInt8 = 1

  package var commitNumber: UInt64
  package var lastCommitTime: Timestamp
  package var nextDocumentNumber: UInt64
  package var nextCollectionNumber: UInt64
  package var nextIndexID: UInt64
  /// The number of commits that changed the catalogue.
  package var catalogVersion: UInt64

  /// The state of a database without a commit.
  package static let initial = StateRecord(
    commitNumber: 0, lastCommitTime: .minimum, nextDocumentNumber: 1, nextCollectionNumber: 1,
    nextIndexID: 1, catalogVersion: 0)

  package init(
    commitNumber: UInt64, lastCommitTime: Timestamp, nextDocumentNumber: UInt64,
    nextCollectionNumber: UInt64, nextIndexID: UInt64, catalogVersion: UInt64
  ) {
    self.commitNumber = commitNumber
    self.lastCommitTime = lastCommitTime
    self.nextDocumentNumber = nextDocumentNumber
    self.nextCollectionNumber = nextCollectionNumber
    self.nextIndexID = nextIndexID
    self.catalogVersion = catalogVersion
  }

  package func append(to bytes: inout [UInt8]) {
    bytes.append(StateRecord.version)
    bytes.append(lastCommitTime)
    bytes.appendVarint(commitNumber)
    bytes.appendVarint(nextDocumentNumber)
    bytes.appendVarint(nextCollectionNumber)
    bytes.appendVarint(nextIndexID)
    bytes.appendVarint(catalogVersion)
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: StateRecord.version)
    lastCommitTime = try reader.readTimestamp("last commit time")
    commitNumber = try reader.readCounter("commit number")
    nextDocumentNumber = try reader.readCounter("next document number")
    nextCollectionNumber = try reader.readCounter("next collection number")
    nextIndexID = try reader.readCounter("next index id")
    catalogVersion = try reader.readCounter("catalogue version")
    try reader.requireEnd()
  }
}

extension ByteReader {
  /// Returns a number that was counted up from a small one, so that it can be counted on.
  fileprivate mutating func readCounter(_ what: String) throws(CorruptBytes) -> UInt64 {
    let start = offset
    let number = try readVarint(what)
    guard number < 1 << 63 else { throw CorruptBytes(what, at: start) }
    return number
  }
}
