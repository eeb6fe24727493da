import HearthDocumentModel

/// The state of a database up to which a client has been told everything, as it is given to the
/// client: the number and the time of the last commit.
///
/// Both together tell states apart even if a database was made anew under its old name. A token is
/// bound to its database's name, and has a checksum so that one that was never given out is
/// noticed.
struct ResumeToken: Equatable {
  private static let version: UInt8 = 1

  let commitNumber: UInt64
  let commitTime: Timestamp

  init(commitNumber: UInt64, commitTime: Timestamp) {
    self.commitNumber = commitNumber
    self.commitTime = commitTime
  }

  /// - Throws: `invalidArgument` in production's words.
  init(_ bytes: some Collection<UInt8>, of database: DatabaseID) throws(DatabaseError) {
    let content = bytes.dropLast(8)
    guard content.count == 17, content.first == ResumeToken.version,
      bytes.suffix(8).elementsEqual(ResumeToken.checksum(of: content, database))
    else { throw .invalidArgument("bad resume token") }
    let words = content.dropFirst()
    commitNumber = words.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let time = words.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    commitTime = try Timestamp(microseconds: Int64(bitPattern: time))
  }

  func bytes(of database: DatabaseID) -> [UInt8] {
    let time = UInt64(bitPattern: commitTime.microseconds)
    let content = [ResumeToken.version] + commitNumber.bigEndianBytes + time.bigEndianBytes
    return content + ResumeToken.checksum(of: content, database)
  }

  /// The checksum FNV-1a over the database's name and the content.
  private static func checksum(
    of content: some Sequence<UInt8>, _ database: DatabaseID
  ) -> [UInt8] {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for byte in database.description.utf8 { add(byte) }
    for byte in content { add(byte) }
    return sum.bigEndianBytes
  }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
