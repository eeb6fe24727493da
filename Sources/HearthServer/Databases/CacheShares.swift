import Hearth

extension Database.Options {
  /// The memory that the caches may take, together.
  var allCachesByteCount: Int {
    cacheByteCount + documentCacheByteCount + nameCacheByteCount + scanCacheByteCount
  }

  /// Sets the memory that the caches may take together. It is divided among them as before.
  mutating func shareCaches(_ byteCount: Int) {
    let total = allCachesByteCount
    func part(of cache: Int) -> Int { total == 0 ? 0 : cache * byteCount / total }
    cacheByteCount = part(of: cacheByteCount)
    documentCacheByteCount = part(of: documentCacheByteCount)
    nameCacheByteCount = part(of: nameCacheByteCount)
    scanCacheByteCount = part(of: scanCacheByteCount)
  }
}
