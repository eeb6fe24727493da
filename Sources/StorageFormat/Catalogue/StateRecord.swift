package import HearthDocumentModel

// The record under the key `s`, rewritten by every commit:
//
//   version                 1 byte, 1 or 2
//   last commit time        8 bytes little-endian, microseconds
//   commit number, next document number, next collection number, next index id,
//   catalogue version       one varint each
//   first unindexed number  varint, in version 2 alone
//
// The version is 2 while documents may lack index entries: a release that doesn't know of them
// refuses the database.

/// The state of a database: the numbers and times that the next commit continues from.
package struct StateRecord: Sendable, Equatable {
  private static let version: UInt8 = 1
  private static let unindexedVersion: UInt8 = 2

  package var commitNumber: UInt64
  package var lastCommitTime: Timestamp
  package var nextDocumentNumber: UInt64
  package var nextCollectionNumber: UInt64
  package var nextIndexID: UInt64
  /// The number of commits that changed the catalogue.
  package var catalogVersion: UInt64
  /// The number from which on documents may lack index entries; `nil` if none does.
  package var unindexedStart: UInt64?

  /// The state of a database without a commit.
  package static let initial = StateRecord(
    commitNumber: 0, lastCommitTime: .minimum, nextDocumentNumber: 1, nextCollectionNumber: 1,
    nextIndexID: 1, catalogVersion: 0)

  package init(
    commitNumber: UInt64, lastCommitTime: Timestamp, nextDocumentNumber: UInt64,
    nextCollectionNumber: UInt64, nextIndexID: UInt64, catalogVersion: UInt64,
    unindexedStart: UInt64? = nil
  ) {
    self.commitNumber = commitNumber
    self.lastCommitTime = lastCommitTime
    self.nextDocumentNumber = nextDocumentNumber
    self.nextCollectionNumber = nextCollectionNumber
    self.nextIndexID = nextIndexID
    self.catalogVersion = catalogVersion
    self.unindexedStart = unindexedStart
  }

  package func append(to bytes: inout [UInt8]) {
    bytes.append(unindexedStart == nil ? StateRecord.version : StateRecord.unindexedVersion)
    bytes.append(lastCommitTime)
    bytes.appendVarint(commitNumber)
    bytes.appendVarint(nextDocumentNumber)
    bytes.appendVarint(nextCollectionNumber)
    bytes.appendVarint(nextIndexID)
    bytes.appendVarint(catalogVersion)
    if let unindexedStart { bytes.appendVarint(unindexedStart) }
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = ByteReader(bytes)
    let isUnindexed = try reader.readVersion(StateRecord.version, or: StateRecord.unindexedVersion)
    lastCommitTime = try reader.readTimestamp("last commit time")
    commitNumber = try reader.readCounter("commit number")
    nextDocumentNumber = try reader.readCounter("next document number")
    nextCollectionNumber = try reader.readCounter("next collection number")
    nextIndexID = try reader.readCounter("next index id")
    catalogVersion = try reader.readCounter("catalogue version")
    unindexedStart = isUnindexed ? try reader.readCounter("first unindexed number") : nil
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
