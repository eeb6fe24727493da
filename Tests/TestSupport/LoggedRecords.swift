/// The records of LevelDB's logs, for tests that cut them.
package enum LoggedRecords {
  private static let blockByteCount = 32_768
  private static let headerByteCount = 7

  /// Where each record of a whole log ends.
  package static func ends(of log: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var start = 0
    while start + headerByteCount <= log.count {
      let kind = log[start + 6]
      let end = start + headerByteCount + Int(log[start + 4]) + Int(log[start + 5]) << 8
      if kind == 1 || kind == 4 { ends.append(end) }
      let left = blockByteCount - end % blockByteCount
      start = left < headerByteCount ? end + left : end
    }
    return ends
  }
}
