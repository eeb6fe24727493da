import CHearthLevelDB
import HearthOrderedStore

/// LevelDB, open on a folder, with everything that must live as long as it does.
///
/// The store and every cursor hold a reference. The end of the last one closes LevelDB and releases
/// the folder. So a cursor never outlives the memory that it points to.
final class LevelDBHandle: @unchecked Sendable {
  let database: OpaquePointer
  let folder: StoreFolder
  let isDurable: Bool
  private let resources: LevelDBResources
  private let process = ForkMark()

  /// - Parameter isNew: whether to make LevelDB's folder, in place of what an interrupted attempt
  ///   left.
  /// - Throws: LevelDB's error, by the table of `LevelDBErrors`.
  init(
    folder: StoreFolder, options: LevelDBOptions, isNew: Bool
  ) throws(StoreError) {
    resources = LevelDBResources(options: options, createIfMissing: isNew)
    let path = folder.levelDBPath
    let settings = resources.settings
    let operation = isNew ? LevelDBErrors.Operation.make : .open
    if isNew {
      let failure = unsafe callingLevelDB { unsafe leveldb_destroy_db(settings, path, $0) }.failure
      if let failure {
        throw StoreError(
          LevelDBErrors.code(for: failure, during: operation),
          "cannot make the database at \(folder.path)", cause: failure)
      }
    }
    let (opened, failure) = unsafe callingLevelDB { unsafe leveldb_open(settings, path, $0) }
    guard let opened else {
      let words = failure ?? "LevelDB gave no reason"
      throw StoreError(
        LevelDBErrors.code(for: words, during: operation),
        "cannot open the database at \(folder.path)", cause: words)
    }
    database = opened
    self.folder = folder
    isDurable = options.isDurable
  }

  /// Returns the newest value of `key`, also a dead one; `nil` if there is none.
  ///
  /// - Throws: `.corrupt`, `.inputOutput`.
  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    var value: [UInt8]?
    let failure = read(key.span.bytes, LevelDBReadOptions()) { value = [UInt8](copying: $0) }
    guard let failure else { return value }
    throw StoreError(
      LevelDBErrors.code(for: failure, during: .read),
      "cannot read in the database at \(folder.path)", cause: failure)
  }

  /// Calls `body` with the value of `key`, also a dead one, which is valid during the call; not if
  /// there is none.
  ///
  /// - Returns: LevelDB's words for a failure.
  func read(
    _ key: RawSpan, _ options: borrowing LevelDBReadOptions, _ body: (RawSpan) -> Void
  ) -> String? {
    var byteCount = 0
    let (found, failure) = unsafe callingLevelDB { failure in
      unsafe key.withCBytes { key, keyCount in
        unsafe leveldb_get(database, options.pointer, key, keyCount, &byteCount, failure)
      }
    }
    guard let found = unsafe found else { return failure }
    defer { unsafe leveldb_free(found) }
    let value = unsafe UnsafeRawBufferPointer(start: found, count: byteCount)
    unsafe body(value.bytes)
    return failure
  }

  /// Whether `key` has the dead value, as far as it can be read.
  func holdsDeadValue(_ key: [UInt8]) -> Bool {
    do throws(StoreError) {
      return try value(of: key) == DeadValue.bytes
    } catch {
      // The key stays as it is. A reader of it gets the error.
      return false
    }
  }

  /// Rewrites the tables that have keys from `lower` to `upper`, inclusive.
  func compact(from lower: [UInt8]?, to upper: [UInt8]?) {
    unsafe (lower ?? []).withCBytes { lowerBytes, lowerCount in
      unsafe (upper ?? []).withCBytes { upperBytes, upperCount in
        unsafe leveldb_compact_range(
          database, lowerCount > 0 ? lowerBytes : nil, lowerCount,
          upperCount > 0 ? upperBytes : nil, upperCount)
      }
    }
  }

  deinit {
    guard !process.isInherited else {
      // LevelDB would wait for a thread that isn't there. So it stays, with the objects it points
      // to.
      _ = Unmanaged.passRetained(resources)
      return
    }
    leveldb_close(database)
    guard !isDurable else { return }
    do {
      try folder.endUnsynced()
    } catch {
      // The record of missing syncs stays, and tells the next open what this close could not do.
    }
  }
}

/// LevelDB's options and the objects that they point to.
private final class LevelDBResources {
  let settings: OpaquePointer?
  private let cache: OpaquePointer?
  private let filter: OpaquePointer?

  init(options: LevelDBOptions, createIfMissing: Bool) {
    settings = leveldb_options_create()
    cache = leveldb_cache_create_lru(max(0, options.cacheByteCount))
    filter = leveldb_filterpolicy_create_bloom(10)
    leveldb_options_set_create_if_missing(settings, createIfMissing ? 1 : 0)
    leveldb_options_set_paranoid_checks(settings, 1)
    leveldb_options_set_cache(settings, cache)
    leveldb_options_set_filter_policy(settings, filter)
    leveldb_options_set_write_buffer_size(settings, max(0, options.writeBufferByteCount))
    // LevelDB sets ten files aside for others than tables, and keeps at least 64 tables.
    leveldb_options_set_max_open_files(
      settings, CInt(clamping: min(max(options.openTableCount, 64), 49_990)) + 10)
    leveldb_options_set_max_file_size(settings, max(0, options.tableByteCount))
    leveldb_options_set_block_size(settings, max(0, options.blockByteCount))
    leveldb_options_set_block_restart_interval(
      settings, max(1, CInt(clamping: options.blockRestartInterval)))
    let compression = options.isCompressed ? leveldb_snappy_compression : leveldb_no_compression
    leveldb_options_set_compression(settings, CInt(compression))
  }

  deinit {
    leveldb_options_destroy(settings)
    leveldb_cache_destroy(cache)
    leveldb_filterpolicy_destroy(filter)
  }
}
