import HearthDocumentModel
import HearthOrderedStore
import Synchronization

/// A cache of index scans, shared by all queries. It has the entries of a small scan in order, and
/// a bitmap of the documents that a large scan finds.
///
/// A join walks its smallest scan, and asks the others only whether they have a document. A bit
/// answers that for a hundredth of a seek. A scan is kept once joins have spent as much on it as
/// the cache could have saved them. It is read in turns: each join reads as many entries for the
/// cache as it has just spent itself, so that no query waits for the whole scan.
///
/// Commits keep the scans current: each put or delete of an entry is made here too. A scan is right
/// for views from the commit that changed it last, up to the next commit that changes it. While
/// that commit is on its way to the store, the scan serves only views without it. Other views don't
/// find the scan.
final class ScanCache: Sendable {
  enum Purpose {
    /// The join walks the scan, if it is small.
    case walking
    /// The join asks the scan for documents.
    case testing
  }

  /// The largest number of builds at a time. Each holds a cursor, which keeps everything that later
  /// commits supersede.
  private static let buildLimit = 4
  /// The number of commits after which an unfinished build is given up.
  private static let buildCommitLimit: UInt64 = 1_000
  /// The number of entries of a scan that joins must have walked before its entries are kept.
  private static let walkedThreshold = 48

  fileprivate struct State {
    var scans = KeptScans()
    /// The changes of the commit that is on its way to the store.
    var pending: [(scan: KeptScan, change: EntryChange)] = []
    var ledger = ScanLedger()
    var isClosed = false
  }

  private let byteCountLimit: Int
  private let testedThreshold: Int
  private let state: StripedLock<State>
  /// The number of the last commit that all scans are right for.
  private let lastCommit: Atomic<UInt64>
  /// Whether a commit is on its way to the store. It is set before the commit asks for scans, so
  /// that none appears that the commit doesn't know.
  private let isCommitting = Atomic(false)

  /// Creates a cache; `nil` if the settings give it no memory.
  ///
  /// - Parameter lastCommit: the number of the last commit so far.
  init?(_ settings: EngineSettings, after lastCommit: UInt64) {
    guard settings.scanCacheByteCount > 0 else { return nil }
    byteCountLimit = settings.scanCacheByteCount - settings.resultCacheByteCount
    testedThreshold = settings.scanCacheThreshold
    self.lastCommit = Atomic(lastCommit)
    state = StripedLock(State())
  }

  /// Returns the kept contents of the scans of the keys that begin with each prefix, as a view of
  /// this commit has them, with their stamps; `nil` for a scan that isn't kept.
  func contents(
    of prefixes: some Sequence<[UInt8]>, at commitNumber: UInt64
  ) -> (contents: [ScanContent?], stamps: [ScanStamp]) {
    let keys = prefixes.map { ScanKey($0) }
    let (contents, stamps, areRecent) = state.read { state in
      var areRecent = true
      var stamps: [ScanStamp] = []
      let contents = keys.map { key -> ScanContent? in
        guard let scan = state.pointee.scans[key], scan.isRight(at: commitNumber) else {
          return nil
        }
        areRecent = areRecent && scan.isRecent
        stamps.append(scan.stamp)
        return scan.content
      }
      return (contents, stamps, areRecent)
    }
    // Only the first reader since the last look for memory has to note its visit.
    if !areRecent { state.withLock { for key in keys { $0.scans[key]?.isRecent = true } } }
    return (contents, stamps)
  }

  var statistics: ScanCacheStatistics { state.read { $0.pointee.scans.statistics } }

  // MARK: Making

  /// Adds the entries that a query has spent on a scan because the scan isn't kept. In return it
  /// may read as many entries of the scan for the cache.
  ///
  /// - Complexity: reads at most `entryCount` entries, or `ScanEntries.countLimit`.
  func lend(
    _ entryCount: Int, toScanOf prefix: [UInt8], for purpose: Purpose,
    in snapshot: any StoreSnapshot, at commitNumber: UInt64
  ) {
    let key = ScanKey(prefix)
    guard
      let build = takeBuild(
        of: key, lending: entryCount, for: purpose, in: snapshot, at: commitNumber)
    else { return }
    do {
      let turn = purpose == .walking ? ScanEntries.countLimit : entryCount
      giveBack(build, try build.readOn(turn), of: purpose)
    } catch {
      // A query that needs the unreadable entries gets the error.
      giveBack(build, .isTooLarge, of: purpose)
    }
  }

  private func takeBuild(
    of key: ScanKey, lending entryCount: Int, for purpose: Purpose,
    in snapshot: any StoreSnapshot, at commitNumber: UInt64
  ) -> ScanBuild? {
    let threshold =
      purpose == .walking ? min(ScanCache.walkedThreshold, testedThreshold) : testedThreshold
    return state.withLock { state in
      if let scan = state.scans[key] { return state.scans.takeBuild(of: scan) }
      // A build needs a view that has all commits so far, and it must see all later ones.
      guard state.ledger.spend(entryCount, on: key, for: purpose) >= threshold, !state.isClosed,
        !isCommitting.load(ordering: .acquiring),
        commitNumber >= lastCommit.load(ordering: .relaxed),
        state.scans.buildCount < ScanCache.buildLimit
      else { return nil }
      state.ledger.settle(key, for: purpose)
      let build = ScanBuild(key, keepingDocuments: purpose == .testing, in: snapshot)
      let scan = KeptScan(key, build, at: commitNumber)
      state.scans.insert(scan)
      return state.scans.takeBuild(of: scan)
    }
  }

  private func giveBack(
    _ build: ScanBuild, _ progress: ScanBuild.Progress, of purpose: Purpose
  ) {
    let released = state.withLock { [byteCountLimit] state -> [ScanBuild] in
      // The build may have been given up meanwhile.
      guard let scan = state.scans[build.key], scan.isTaken(build) else { return [] }
      switch progress {
      case .goesOn: state.scans.update(scan) { $0.giveBack(build) }
      case .isDone(let content): state.scans.update(scan) { $0.finish(content) }
      case .isTooLarge:
        state.scans.remove(scan)
        state.ledger.refuse(scan.key, for: purpose)
      }
      state.scans.trim(to: byteCountLimit)
      return state.scans.takeReleased()
    }
    // The store's cursors are released here, outside the lock.
    withExtendedLifetime(released) {}
  }

  // MARK: Commits

  /// Records the changes that the commit with this number is about to make. The store isn't written
  /// yet.
  ///
  /// - Parameter batch: the whole batch. If it doesn't come from documents (an index is built,
  ///   dropped or repaired), the scans that it touches are given up.
  func prepare(_ changes: [DocumentChange], _ batch: StoreBatch, at commitNumber: UInt64) {
    isCommitting.store(true, ordering: .releasing)
    guard !isEmpty else { return }
    let released = state.withLock { state -> [ScanBuild] in
      state.pending = []
      for change in changes { state.prepare(change, at: commitNumber) }
      if changes.isEmpty { state.removeScans(touchedBy: batch) }
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }

  /// Makes the changes of the commit that was prepared, after the store is written.
  func publish(at commitNumber: UInt64) {
    defer {
      lastCommit.store(commitNumber, ordering: .relaxed)
      isCommitting.store(false, ordering: .releasing)
    }
    guard !isEmpty else { return }
    let released = state.withLock { [byteCountLimit] state -> [ScanBuild] in
      state.applyPending(at: commitNumber)
      if commitNumber > ScanCache.buildCommitLimit {
        state.scans.removeBuilds(begunBefore: commitNumber - ScanCache.buildCommitLimit)
      }
      state.scans.trim(to: byteCountLimit)
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }

  private var isEmpty: Bool { state.read { $0.pointee.scans.isEmpty } }

  // MARK: Closing

  /// Gives up all builds, and their cursors.
  func releaseCursors() {
    let released = state.withLock { state -> [ScanBuild] in
      state.scans.removeBuilds(begunBefore: .max)
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }

  /// Removes everything, and keeps nothing from now on.
  func close() {
    let released = state.withLock { state -> [ScanBuild] in
      state.scans.removeAll()
      state.isClosed = true
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }
}

extension ScanCache.State {
  /// Notes the changes that a changed document makes to scans.
  fileprivate mutating func prepare(_ change: DocumentChange, at commitNumber: UInt64) {
    guard let document = (change.new ?? change.old)?.number else { return }
    // For a document that moves within a scan, the delete comes before the put, so that the
    // document stays in the scan.
    for isPut in [false, true] {
      change.forEachMovedKey { key, isNew in
        guard isNew == isPut else { return }
        scans.forEach(ofEntry: key) { scan in
          scan.end(at: commitNumber)
          let suffix = [UInt8](copying: key.extracting(droppingFirst: scan.key.bytes.count))
          pending.append((scan, EntryChange(suffix: suffix, document: document, isPut: isPut)))
        }
      }
    }
  }

  fileprivate mutating func removeScans(touchedBy batch: StoreBatch) {
    var touched: [KeptScan] = []
    batch.forEach { _, key, _ in
      scans.forEach(ofEntry: key) { touched.append($0) }
    }
    for scan in touched { scans.remove(scan) }
  }

  fileprivate mutating func applyPending(at commitNumber: UInt64) {
    for (scan, change) in pending where scans[scan.key] === scan {
      scans.update(scan) { $0.apply(change, at: commitNumber) }
      if scan.isTooLarge { scans.remove(scan) }
    }
    pending = []
  }
}

extension DocumentChange {
  /// Calls `body` with the key of each entry that only the old or only the new document has.
  fileprivate func forEachMovedKey(_ body: (_ key: RawSpan, _ isNew: Bool) -> Void) {
    EntryList.forEachDifference(from: oldEntries, to: newEntries) { old, new in
      switch (old, new) {
      case (let old?, nil): body(oldEntries.key(old).span.bytes, false)
      case (nil, let new?): body(newEntries.key(new).span.bytes, true)
      default: break
      }
    }
  }
}
