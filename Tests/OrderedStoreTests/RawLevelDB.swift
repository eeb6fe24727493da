import CLevelDB

/// LevelDB by itself, with nothing of the store's around it.
final class RawLevelDB {
  struct Failure: Error {
    var words: String
  }

  /// A snapshot of LevelDB's, given back with its last reference.
  final class View {
    private let database: OpaquePointer
    private let pointer: OpaquePointer?

    fileprivate init(_ database: OpaquePointer) {
      self.database = database
      pointer = leveldb_create_snapshot(database)
    }

    deinit { leveldb_release_snapshot(database, pointer) }
  }

  private let database: OpaquePointer
  private let options = leveldb_options_create()
  private let readOptions = leveldb_readoptions_create()
  private let writeOptions = leveldb_writeoptions_create()

  init(_ path: String) throws {
    leveldb_options_set_compression(options, CInt(leveldb_no_compression))
    leveldb_options_set_write_buffer_size(options, 16 << 20)
    leveldb_options_set_max_file_size(options, 1 << 20)
    let filter = leveldb_filterpolicy_create_bloom(10)
    leveldb_options_set_filter_policy(options, filter)
    var message: UnsafeMutablePointer<CChar>?
    guard let database = leveldb_open(options, path, &message) else {
      throw Failure(words: message.map { String(cString: $0) } ?? "")
    }
    self.database = database
  }

  func close() { leveldb_close(database) }

  func makeSnapshot() -> View { View(database) }

  func put(_ key: [UInt8]) { write(key, SplitKeyHistory.value) }

  func delete(_ key: [UInt8]) { write(key, nil) }

  func compact(_ lower: [UInt8]?, _ upper: [UInt8]?) {
    let bounds = [lower ?? [], upper ?? []].map { $0.map { CChar(bitPattern: $0) } }
    leveldb_compact_range(
      database, lower.map { _ in bounds[0] }, bounds[0].count, upper.map { _ in bounds[1] },
      bounds[1].count)
  }

  func holds(_ key: [UInt8]) -> Bool {
    var count = 0
    var message: UnsafeMutablePointer<CChar>?
    let found = leveldb_get(
      database, readOptions, key.map { CChar(bitPattern: $0) }, key.count, &count, &message)
    return found != nil
  }

  private func write(_ key: [UInt8], _ value: [UInt8]?) {
    let bytes = key.map { CChar(bitPattern: $0) }
    var message: UnsafeMutablePointer<CChar>?
    if let value {
      leveldb_put(
        database, writeOptions, bytes, key.count, value.map { CChar(bitPattern: $0) },
        value.count, &message)
    } else {
      leveldb_delete(database, writeOptions, bytes, key.count, &message)
    }
  }
}
