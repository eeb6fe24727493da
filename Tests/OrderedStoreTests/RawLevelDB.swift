import CHearthLevelDB
import Foundation
import TestSupport

/// LevelDB by itself, on a copy of a store's files, with nothing of the store's around it.
final class RawLevelDB {
  struct Failure: Error {
    var words: String
  }

  private let folder: TemporaryFolder
  private let database: OpaquePointer
  private let options = leveldb_options_create()
  private let readOptions = leveldb_readoptions_create()

  /// - Parameter path: the folder of a store, which may be open.
  init(copying path: String) throws {
    folder = try TemporaryFolder()
    let copy = folder.path(of: "store")
    try FileManager.default.copyItem(atPath: path + "/store", toPath: copy)
    let filter = leveldb_filterpolicy_create_bloom(10)
    leveldb_options_set_filter_policy(options, filter)
    var message: UnsafeMutablePointer<CChar>?
    guard let database = leveldb_open(options, copy, &message) else {
      throw Failure(words: message.map { String(cString: $0) } ?? "")
    }
    self.database = database
  }

  deinit { leveldb_close(database) }

  /// Returns the value that LevelDB has under `key`, which may be a dead value.
  func value(of key: [UInt8]) -> [UInt8]? {
    var count = 0
    var message: UnsafeMutablePointer<CChar>?
    let found = leveldb_get(
      database, readOptions, key.map { CChar(bitPattern: $0) }, key.count, &count, &message)
    guard let found else { return nil }
    defer { leveldb_free(found) }
    return [UInt8](UnsafeRawBufferPointer(start: found, count: count))
  }

  /// Number of keys that have the dead value.
  var deadCount: Int {
    guard let iterator = leveldb_create_iterator(database, readOptions) else { return 0 }
    defer { leveldb_iter_destroy(iterator) }
    var deadCount = 0
    leveldb_iter_seek_to_first(iterator)
    while leveldb_iter_valid(iterator) != 0 {
      var count = 0
      let start = leveldb_iter_value(iterator, &count)
      let value = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
      if value == [0xFF, 0xFF, 0xFF, 0xFF] { deadCount += 1 }
      leveldb_iter_next(iterator)
    }
    return deadCount
  }
}
