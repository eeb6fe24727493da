import CLevelDBRaw

/// The settings of LevelDB that the study varies. Checksums are always verified.
package struct LevelSettings: CustomStringConvertible {
  package var compresses = true
  package var blockByteCount = 4096
  package var restartInterval = 16
  package var writeBufferMebibytes = 4
  package var cacheMebibytes = 256

  package init() {}

  package var description: String {
    "\(compresses ? "snappy" : "plain"), block \(blockByteCount), restart \(restartInterval),"
      + " buffer \(writeBufferMebibytes) MiB"
  }
}

/// LevelDB's C interface with Swift's lifetimes, and nothing more: the floor of the measurements.
///
/// Bytes that a call hands to a closure belong to LevelDB and are valid only within the closure.
package final class LevelDatabase {
  fileprivate let database: OpaquePointer
  fileprivate let readOptions: OpaquePointer
  private let options: OpaquePointer
  private let cache: OpaquePointer
  private let filter: OpaquePointer

  package init(at path: String, settings: LevelSettings) throws {
    options = leveldb_options_create()
    cache = leveldb_cache_create_lru(settings.cacheMebibytes << 20)
    filter = leveldb_filterpolicy_create_bloom(10)
    leveldb_options_set_create_if_missing(options, 1)
    leveldb_options_set_paranoid_checks(options, 1)
    leveldb_options_set_cache(options, cache)
    leveldb_options_set_filter_policy(options, filter)
    leveldb_options_set_compression(options, settings.compresses ? 1 : 0)
    leveldb_options_set_block_size(options, settings.blockByteCount)
    leveldb_options_set_block_restart_interval(options, Int32(settings.restartInterval))
    leveldb_options_set_write_buffer_size(options, settings.writeBufferMebibytes << 20)
    readOptions = leveldb_readoptions_create()
    leveldb_readoptions_set_verify_checksums(readOptions, 1)
    var message: UnsafeMutablePointer<CChar>?
    let opened = leveldb_open(options, path, &message)
    try throwIfPresent(message)
    guard let opened else { throw StudyError("LevelDB did not open \(path)") }
    database = opened
  }

  deinit {
    leveldb_close(database)
    leveldb_options_destroy(options)
    leveldb_readoptions_destroy(readOptions)
    leveldb_cache_destroy(cache)
    leveldb_filterpolicy_destroy(filter)
  }

  package func withValue<Result>(
    of key: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    var message: UnsafeMutablePointer<CChar>?
    var byteCount = 0
    let value = key.withChars {
      leveldb_get(database, readOptions, $0.baseAddress, $0.count, &byteCount, &message)
    }
    try throwIfPresent(message)
    guard let value else { return nil }
    defer { leveldb_free(value) }
    return try body(UnsafeRawBufferPointer(start: value, count: byteCount))
  }

  package func write(_ batch: LevelBatch, sync: Bool) throws {
    let writeOptions = leveldb_writeoptions_create()
    defer { leveldb_writeoptions_destroy(writeOptions) }
    leveldb_writeoptions_set_sync(writeOptions, sync ? 1 : 0)
    var message: UnsafeMutablePointer<CChar>?
    leveldb_write(database, writeOptions, batch.batch, &message)
    try throwIfPresent(message)
  }

  package func compact() {
    leveldb_compact_range(database, nil, 0, nil, 0)
  }
}

/// A position in a database. It must not outlive the database.
package final class LevelCursor {
  private let database: LevelDatabase
  private let iterator: OpaquePointer

  package init(_ database: LevelDatabase) {
    self.database = database
    iterator = leveldb_create_iterator(database.database, database.readOptions)
  }

  deinit {
    leveldb_iter_destroy(iterator)
  }

  package var isValid: Bool { leveldb_iter_valid(iterator) != 0 }

  /// The key; valid until the cursor moves.
  package var key: UnsafeRawBufferPointer {
    var byteCount = 0
    let start = leveldb_iter_key(iterator, &byteCount)
    return UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  /// The value; valid until the cursor moves.
  package var value: UnsafeRawBufferPointer {
    var byteCount = 0
    let start = leveldb_iter_value(iterator, &byteCount)
    return UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  package func seek(to key: [UInt8]) {
    key.withChars { leveldb_iter_seek(iterator, $0.baseAddress, $0.count) }
  }

  package func next() { leveldb_iter_next(iterator) }

  /// Throws if the cursor met a read error. After one, the cursor ends as it does at its last
  /// entry.
  package func throwIfFailed() throws {
    var message: UnsafeMutablePointer<CChar>?
    leveldb_iter_get_error(iterator, &message)
    try throwIfPresent(message)
  }
}

/// Puts and deletes that are applied as one.
package final class LevelBatch {
  fileprivate let batch: OpaquePointer = leveldb_writebatch_create()
  /// Number of bytes of all keys and values since the last `clear`.
  package private(set) var byteCount = 0

  package init() {}

  deinit {
    leveldb_writebatch_destroy(batch)
  }

  package func put(_ key: [UInt8], _ value: [UInt8]) {
    byteCount += key.count + value.count
    key.withChars { key in
      value.withChars { value in
        leveldb_writebatch_put(
          batch, key.baseAddress, key.count, value.baseAddress, value.count)
      }
    }
  }

  package func delete(_ key: [UInt8]) {
    byteCount += key.count
    key.withChars { leveldb_writebatch_delete(batch, $0.baseAddress, $0.count) }
  }

  package func clear() {
    byteCount = 0
    leveldb_writebatch_clear(batch)
  }
}

private func throwIfPresent(_ message: UnsafeMutablePointer<CChar>?) throws {
  guard let message else { return }
  defer { leveldb_free(message) }
  throw StudyError("LevelDB: \(String(cString: message))")
}

extension [UInt8] {
  fileprivate func withChars<Result>(
    _ body: (UnsafeBufferPointer<CChar>) throws -> Result
  ) rethrows -> Result {
    try withUnsafeBytes { try $0.withMemoryRebound(to: CChar.self, body) }
  }
}

extension LevelDatabase {
  package static var version: String {
    "\(leveldb_major_version()).\(leveldb_minor_version())"
  }
}
