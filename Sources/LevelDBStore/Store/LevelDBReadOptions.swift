import CHearthLevelDB

/// LevelDB's options for reads, which always verify checksums.
struct LevelDBReadOptions: ~Copyable {
  let pointer = leveldb_readoptions_create()

  /// - Parameters:
  ///   - view: the view that is read; `nil` for the newest data.
  ///   - fillsCache: whether blocks that are read displace others from the cache.
  init(view: LevelDBView? = nil, fillsCache: Bool = true) {
    leveldb_readoptions_set_verify_checksums(pointer, 1)
    leveldb_readoptions_set_fill_cache(pointer, fillsCache ? 1 : 0)
    if let view { leveldb_readoptions_set_snapshot(pointer, view.pointer) }
  }

  deinit { leveldb_readoptions_destroy(pointer) }
}
