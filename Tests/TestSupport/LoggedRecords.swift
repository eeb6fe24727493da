import Foundation

/// The records of LevelDB's logs, for tests that cut them or look into them.
package enum LoggedRecords {
  private static let blockByteCount = 32_768
  private static let headerByteCount = 7

  /// Returns the end of each record of a whole log, in bytes.
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

  /// The keys that each batch puts or deletes in the logs that the store at `path` has now.
  package static func batchKeys(ofStore path: String) throws -> [[[UInt8]]] {
    let folder = path + "/store"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try names.filter { $0.hasSuffix(".log") }.sorted().flatMap { name in
      batchKeys(of: [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
    }
  }

  private static func batchKeys(of log: [UInt8]) -> [[[UInt8]]] {
    var batches: [[[UInt8]]] = []
    var payload: [UInt8] = []
    var start = 0
    while start + headerByteCount <= log.count {
      let kind = log[start + 6]
      let end = start + headerByteCount + Int(log[start + 4]) + Int(log[start + 5]) << 8
      payload += log[start + headerByteCount..<end]
      if kind == 1 || kind == 4 {
        batches.append(keys(ofBatch: payload))
        payload = []
      }
      let left = blockByteCount - end % blockByteCount
      start = left < headerByteCount ? end + left : end
    }
    return batches
  }

  private static func keys(ofBatch payload: [UInt8]) -> [[UInt8]] {
    // A number and a count of operations stand in front.
    var rest = payload.dropFirst(12)
    func takeBytes() -> [UInt8] {
      var (count, shift) = (0, 0)
      while let byte = rest.popFirst() {
        count |= Int(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    var keys: [[UInt8]] = []
    while let operation = rest.popFirst() {
      keys.append(takeBytes())
      if operation == 1 { _ = takeBytes() }
    }
    return keys
  }
}
