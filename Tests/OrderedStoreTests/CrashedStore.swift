import Foundation
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing

/// The files of a store as a crash leaves them, for a test to damage and to open again.
///
/// Batch `n` puts the key `n`; batches are counted from 1.
struct CrashedStore {
  /// End of the log before the first batch, and after each.
  let logEnds: [Int]
  let path: String
  private let folder: TemporaryFolder
  private static let log = "000003.log"

  init(batchByteCounts: [Int], isDurable: Bool = true) throws {
    folder = try TemporaryFolder()
    let original = folder.path(of: "original")
    var options = LevelDBOptions()
    options.isDurable = isDurable
    let (store, _) = try LevelDBStore.open(folder: original, options: options)
    var logEnds = [0]
    for (index, byteCount) in batchByteCounts.enumerated() {
      try write(store, index + 1, byteCount: byteCount)
      let log = original + "/store/" + Self.log
      let attributes = try FileManager.default.attributesOfItem(atPath: log)
      logEnds.append((attributes[.size] as? Int) ?? 0)
    }
    self.logEnds = logEnds
    path = folder.path(of: "crashed")
    // The copy has the files on the disk while the process runs, as a kill leaves them.
    try FileManager.default.copyItem(atPath: original, toPath: path)
    try store.close()
  }

  fileprivate init(copying other: CrashedStore) throws {
    folder = other.folder
    logEnds = other.logEnds
    path = folder.path(of: "copy-\(UUID().uuidString)")
    try FileManager.default.copyItem(atPath: other.path, toPath: path)
  }

  func bytes(of name: String = log) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(name)))
  }

  func replace(_ name: String = log, with bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: url(name))
  }

  func change(_ name: String = log, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = try bytes(of: name)
    body(&bytes)
    try replace(name, with: bytes)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path + "/store")
  }

  /// Opens the store, returns the batches that exist, and closes it.
  func open(isDurable: Bool = true) throws -> (batches: [Int], report: StoreOpenReport) {
    var options = LevelDBOptions()
    options.isDurable = isDurable
    let (store, report) = try LevelDBStore.open(folder: path, options: options)
    let batches = try store.makeSnapshot().entries().map { Int($0.key[0]) }
    try store.close()
    return (batches, report)
  }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/store/" + name) }
}

/// LevelDB's framing and checksum in a second, plain implementation, with which a test can make
/// logs.
enum LogBytes {
  static func record(_ payload: [UInt8], kind: UInt8 = 1) -> [UInt8] {
    let count = payload.count
    return checksum(of: [kind] + payload) + [UInt8(count & 0xff), UInt8(count >> 8), kind]
      + payload
  }

  /// Returns the masked checksum of `bytes`, as in logs and tables.
  static func checksum(of bytes: [UInt8]) -> [UInt8] {
    var checksum: UInt32 = ~0
    for byte in bytes {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1) * 0x82f6_3b78 }
    }
    checksum = ~checksum
    let masked = (checksum >> 15 | checksum << 17) &+ 0xa282_ead8
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: masked >> $0) }
  }

  /// Returns a batch with a put of the key `number`.
  static func batch(sequence: UInt8, number: UInt8) -> [UInt8] {
    [sequence, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, number, 1, number]
  }
}

extension CrashedStore {
  /// Returns a copy of the files.
  func copy() throws -> CrashedStore {
    try CrashedStore(copying: self)
  }

  /// Marks the store as one that was open without syncs when the machine was switched off.
  func pretendPowerLoss() throws {
    let record = URL(fileURLWithPath: path + "/UNSYNCED")
    try Data("another-start-of-the-machine\n".utf8).write(to: record)
  }
}
