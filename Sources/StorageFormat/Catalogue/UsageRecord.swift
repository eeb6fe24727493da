package import HearthDocumentModel

// The records under the keys `q`:
//
//   version      1 byte, 1
//   since        8 bytes little-endian, microseconds
//   last query   0 | 1 and 8 bytes
//   queries, writes of entries   one varint each
//
// `q` itself holds the version and the time since when anything is recorded.

/// The recorded use of one index.
package struct UsageRecord: Sendable, Equatable {
  private static let version: UInt8 = 1

  /// The time since when its use is counted.
  package var since: Timestamp
  /// The time of the last query that used it; `nil` if none has.
  package var lastQueryTime: Timestamp?
  /// The number of queries that it served.
  package var queryCount: UInt64
  /// The number of entries that writes of documents put and deleted.
  package var entryWriteCount: UInt64

  package init(
    since: Timestamp, lastQueryTime: Timestamp? = nil, queryCount: UInt64 = 0,
    entryWriteCount: UInt64 = 0
  ) {
    self.since = since
    self.lastQueryTime = lastQueryTime
    self.queryCount = queryCount
    self.entryWriteCount = entryWriteCount
  }

  package func append(to bytes: inout [UInt8]) {
    UsageRecord.append(start: since, to: &bytes)
    bytes.append(lastQueryTime == nil ? 0 : 1)
    if let lastQueryTime { bytes.append(lastQueryTime) }
    bytes.appendVarint(queryCount)
    bytes.appendVarint(entryWriteCount)
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = try ByteReader(bytes, version: UsageRecord.version)
    since = try reader.readTimestamp("beginning")
    lastQueryTime =
      try reader.readFlag("last query") ? try reader.readTimestamp("last query") : nil
    queryCount = try reader.readVarint("number of queries")
    entryWriteCount = try reader.readVarint("number of writes")
    try reader.requireEnd()
  }

  // MARK: Start of the recording

  package static func append(start time: Timestamp, to bytes: inout [UInt8]) {
    bytes.append(version)
    bytes.append(time)
  }

  /// - Throws: ``CorruptBytes``.
  package static func start(_ bytes: RawSpan) throws(CorruptBytes) -> Timestamp {
    var reader = try ByteReader(bytes, version: version)
    let time = try reader.readTimestamp("beginning")
    try reader.requireEnd()
    return time
  }
}
