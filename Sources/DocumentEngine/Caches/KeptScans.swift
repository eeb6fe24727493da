import HearthDocumentModel
import HearthOrderedStore

/// The scans of a cache, found by their keys and by the keys of their entries.
struct KeptScans {
  private var byKey: [ScanKey: KeptScan] = [:]
  /// All scans in the order of their keys.
  private var inOrder: [KeptScan] = []
  /// The next scan to look at when memory is short.
  private var hand = 0
  private var byteCount = 0
  private(set) var buildCount = 0
  /// Builds that were given up. They hold cursors of the store, which are released outside of the
  /// lock.
  private var released: [ScanBuild] = []

  var isEmpty: Bool { inOrder.isEmpty }

  var statistics: ScanCacheStatistics {
    var statistics = ScanCacheStatistics()
    statistics.scanCount = inOrder.count - buildCount
    statistics.buildCount = buildCount
    statistics.byteCount = byteCount
    return statistics
  }

  subscript(key: ScanKey) -> KeptScan? { byKey[key] }

  /// Calls `body` with the scans to which the entry with this key belongs.
  func forEach(ofEntry key: RawSpan, _ body: (KeptScan) -> Void) {
    let index = endIndex(through: key) - 1
    var candidate = index >= 0 ? inOrder[index] : nil
    while let scan = candidate {
      if scan.has(key) { body(scan) }
      // All keys between a prefix of the key and the key begin with that prefix too.
      candidate = scan.enclosing
    }
  }

  /// Returns the number of scans whose keys are at or before `key`.
  private func endIndex(through key: RawSpan) -> Int {
    inOrder.indices.first(reaching: { index in
      let prefix = inOrder[index].key.bytes
      return key.compare(prefix.span.bytes) == .less
    })
  }

  // MARK: Changes

  mutating func insert(_ scan: KeptScan) {
    let bytes = scan.key.bytes
    let index = endIndex(through: bytes.span.bytes)
    var outer = index > 0 ? inOrder[index - 1] : nil
    while let candidate = outer, !bytes.starts(with: candidate.key.bytes) {
      outer = candidate.enclosing
    }
    scan.enclosing = outer
    for inner in inOrder[index...] {
      guard inner.key.bytes.starts(with: bytes) else { break }
      if inner.enclosing === outer { inner.enclosing = scan }
    }
    inOrder.insert(scan, at: index)
    byKey[scan.key] = scan
    if scan.content == nil { buildCount += 1 }
    byteCount += scan.byteCount
  }

  mutating func remove(_ scan: KeptScan) {
    guard byKey[scan.key] === scan else { return }
    byKey[scan.key] = nil
    let bytes = scan.key.bytes
    remove(at: endIndex(through: bytes.span.bytes) - 1)
  }

  private mutating func remove(at index: Int) {
    let scan = inOrder.remove(at: index)
    for inner in inOrder[index...] {
      guard inner.key.bytes.starts(with: scan.key.bytes) else { break }
      if inner.enclosing === scan { inner.enclosing = scan.enclosing }
    }
    byKey[scan.key] = nil
    if scan.content == nil { buildCount -= 1 }
    byteCount -= scan.byteCount
    scan.stamp.end()
    if let build = scan.takeBuild() { released.append(build) }
  }

  mutating func removeAll() {
    for scan in inOrder { remove(scan) }
  }

  /// Returns the builds that were given up since the last call, to be released outside of the lock.
  mutating func takeReleased() -> [ScanBuild] {
    defer { released = [] }
    return released
  }

  /// Takes the scan's build for one turn; `nil` if another reader has it.
  mutating func takeBuild(of scan: KeptScan) -> ScanBuild? {
    var build: ScanBuild?
    update(scan) { build = $0.takeBuild() }
    return build
  }

  /// Runs `body` on one of these scans, which may change it.
  mutating func update(_ scan: KeptScan, _ body: (KeptScan) -> Void) {
    byteCount -= scan.byteCount
    if scan.content == nil { buildCount -= 1 }
    body(scan)
    byteCount += scan.byteCount
    if scan.content == nil { buildCount += 1 }
  }

  mutating func removeBuilds(begunBefore commitNumber: UInt64) {
    guard buildCount > 0 else { return }
    for scan in inOrder where scan.content == nil && scan.begin < commitNumber { remove(scan) }
  }

  /// Removes scans that no reader asked for since the hand's last visit, until the rest takes at
  /// most `byteCountLimit`.
  mutating func trim(to byteCountLimit: Int) {
    while byteCount > byteCountLimit, !inOrder.isEmpty {
      if hand >= inOrder.count { hand = 0 }
      if inOrder[hand].isRecent {
        inOrder[hand].isRecent = false
        hand += 1
      } else {
        remove(at: hand)
      }
    }
  }
}
