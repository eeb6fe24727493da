package import HearthDocumentModel

// The record under the key `x d`:
//
//   version          1 byte, 1 or 2
//   format version   varint
//   project, database (strings)
//
// The version is 2 while there are records of covering entries, of counts or of times to live, or
// an override with its earlier indexes: a release that doesn't know these records refuses the
// database.

/// The identity of the database and the version of its format.
package struct IdentityRecord: Sendable, Equatable {
  private static let version: UInt8 = 1
  private static let tunedVersion: UInt8 = 2

  package var formatVersion: UInt64
  package var database: DatabaseID
  /// Whether there are records that earlier releases don't know.
  package var isTuned: Bool

  package init(formatVersion: UInt64, database: DatabaseID, isTuned: Bool = false) {
    self.formatVersion = formatVersion
    self.database = database
    self.isTuned = isTuned
  }

  package func append(to bytes: inout [UInt8]) {
    bytes.append(isTuned ? IdentityRecord.tunedVersion : IdentityRecord.version)
    bytes.appendVarint(formatVersion)
    bytes.appendString(database.project)
    bytes.appendString(database.database)
  }

  /// Whether a later release wrote the record, so that this one can't read it.
  package static func isNewer(_ bytes: RawSpan) -> Bool {
    var reader = ByteReader(bytes)
    return (try? reader.readByte("version")).map { $0 > tunedVersion } ?? false
  }

  /// - Throws: ``CorruptBytes``.
  package init(_ bytes: RawSpan) throws(CorruptBytes) {
    var reader = ByteReader(bytes)
    isTuned = try reader.readVersion(IdentityRecord.version, or: IdentityRecord.tunedVersion)
    formatVersion = try reader.readVarint("format version")
    database = try reader.readDatabase()
    try reader.requireEnd()
  }
}
