import DocumentModel
import OrderedStore

/// What joins need of index scans, kept in memory for all of them: of a small scan its entries in
/// order, of a large one a bitmap of the documents that it finds.
///
/// A join walks its smallest scan, and asks of the others no more than whether they have a
/// document; a bit answers that for a hundredth of a seek. What is kept of a scan is made once
/// joins have spent on it what they could have been spared, and in turns: each join lends as many
/// entries as it has just spent, so that no query waits for the whole of it.
///
/// Commits keep it up: a put or a delete of an entry is made here too. It is right for views from
/// the commit that changed it last up to the next that will; while that one is on its way to the
/// store, for views without it. For any other view it isn't there.
final class ScanCache: Sendable {
  enum Purpose {
    /// To be walked, if it is small.
    case walking
    /// To be asked for documents.
    case testing
  }

  /// Builds at a time: each holds a cursor, and with it what later commits supersede.
  private static let buildLimit = 4
  /// A build that takes longer than so many commits is given up.
  private static let buildCommitLimit: UInt64 = 1_000
  /// Entries of a scan that were walked before its entries are kept.
  private static let walkedThreshold = 48

  private struct State {
    var scans = KeptScans()
    /// The last commit that all is right for.
    var lastCommit: UInt64
    var pending: PendingCommit?
    var ledger = ScanLedger()
    var isClosed = false
  }

  /// A commit on its way to the store.
  private struct PendingCommit {
    let number: UInt64
    var changes: [(scan: KeptScan, change: EntryChange)] = []
  }

  private let byteCountLimit: Int
  private let testedThreshold: Int
  private let state: Lock<State>

  /// `nil` for no memory at all.
  ///
  /// - Parameter lastCommit: the number of the last commit so far.
  init?(_ settings: Engine.Settings, after lastCommit: UInt64) {
    guard settings.scanCacheByteCount > 0 else { return nil }
    byteCountLimit = settings.scanCacheByteCount
    testedThreshold = settings.scanCacheThreshold
    state = Lock(State(lastCommit: lastCommit))
  }

  /// What is kept of the scan of the keys that begin with `prefix`, as a view of this commit has
  /// it.
  func content(of prefix: [UInt8], at commitNumber: UInt64) -> ScanContent? {
    let key = ScanKey(prefix)
    return state.withLock { state in
      guard let scan = state.scans[key], scan.isRight(at: commitNumber) else { return nil }
      scan.isRecent = true
      return scan.content
    }
  }

  var statistics: ScanCacheStatistics { state.withLock { $0.scans.statistics } }

  // MARK: Making

  /// Adds what a query has spent on a scan because nothing was kept of it, and makes a part of that
  /// in return.
  ///
  /// - Complexity: reads at most `entryCount` entries, or `ScanEntries.countLimit`.
  func lend(
    _ entryCount: Int, toScanOf prefix: [UInt8], for purpose: Purpose, in view: ReadView
  ) {
    let key = ScanKey(prefix)
    guard let build = takeBuild(of: key, lending: entryCount, for: purpose, in: view) else {
      return
    }
    do {
      let turn = purpose == .walking ? ScanEntries.countLimit : entryCount
      giveBack(build, try build.readOn(turn), of: purpose)
    } catch {
      // Whoever needs the entries that can't be read is told so.
      giveBack(build, .isTooLarge, of: purpose)
    }
  }

  private func takeBuild(
    of key: ScanKey, lending entryCount: Int, for purpose: Purpose, in view: ReadView
  ) -> ScanBuild? {
    let (snapshot, commitNumber) = (view.snapshot, view.commitNumber)
    let threshold =
      purpose == .walking ? min(ScanCache.walkedThreshold, testedThreshold) : testedThreshold
    return state.withLock { state in
      if let scan = state.scans[key] { return state.scans.takeBuild(of: scan) }
      // From a view that lacks nothing, and with all commits still to come.
      guard state.ledger.spend(entryCount, on: key, for: purpose) >= threshold, !state.isClosed,
        state.pending == nil, commitNumber >= state.lastCommit,
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
      // It may have been given up meanwhile.
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
    // The store's cursors end here, after the lock.
    withExtendedLifetime(released) {}
  }

  // MARK: Commits

  /// Takes note of what the commit with this number is about to change; the store has not seen it
  /// yet.
  ///
  /// - Parameter batch: all that is written. Where it doesn't come from documents (an index is
  ///   built, dropped or repaired) the scans that it touches are given up.
  func prepare(_ changes: [DocumentChange], _ batch: StoreBatch, at commitNumber: UInt64) {
    let released = state.withLock { state -> [ScanBuild] in
      var pending = PendingCommit(number: commitNumber)
      defer { state.pending = pending }
      guard !state.scans.isEmpty else { return [] }
      for change in changes {
        guard let document = (change.new ?? change.old)?.number else { continue }
        // A document that moves within a scan leaves its old place first: it stays in the scan.
        for isPut in [false, true] {
          change.forEachMovedKey { key, isNew in
            guard isNew == isPut else { return }
            state.scans.forEach(ofEntry: key) { scan in
              scan.until = commitNumber
              let suffix = [UInt8](copying: key.extracting(droppingFirst: scan.key.bytes.count))
              pending.changes.append(
                (scan, EntryChange(suffix: suffix, document: document, isPut: isPut)))
            }
          }
        }
      }
      guard changes.isEmpty else { return [] }
      var touched: [KeptScan] = []
      batch.forEach { _, key, _ in
        state.scans.forEach(ofEntry: key) { touched.append($0) }
      }
      for scan in touched { state.scans.remove(scan) }
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }

  /// Makes the changes of the commit that was prepared: the store has it.
  func publish(at commitNumber: UInt64) {
    let released = state.withLock { [byteCountLimit] state -> [ScanBuild] in
      guard let pending = state.pending, pending.number == commitNumber else { return [] }
      state.pending = nil
      state.lastCommit = commitNumber
      for (scan, change) in pending.changes where state.scans[scan.key] === scan {
        state.scans.update(scan) { $0.apply(change, at: commitNumber) }
        if scan.isTooLarge { state.scans.remove(scan) }
      }
      if commitNumber > ScanCache.buildCommitLimit {
        state.scans.removeBuilds(begunBefore: commitNumber - ScanCache.buildCommitLimit)
      }
      state.scans.trim(to: byteCountLimit)
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }

  // MARK: Closing

  /// Gives up what is being made, and the cursors with it.
  func releaseCursors() {
    let released = state.withLock { state -> [ScanBuild] in
      state.scans.removeBuilds(begunBefore: .max)
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }

  /// Gives up everything, and keeps nothing any more.
  func close() {
    let released = state.withLock { state -> [ScanBuild] in
      state.scans.removeAll()
      state.isClosed = true
      return state.scans.takeReleased()
    }
    withExtendedLifetime(released) {}
  }
}

/// What a cache of scans holds.
package struct ScanCacheStatistics: Sendable, Equatable {
  /// Scans of which something is kept.
  package var scanCount = 0
  /// Scans that are being read.
  package var buildCount = 0
  /// About the memory that they take.
  package var byteCount = 0

  package init() {}
}

/// What queries have spent on scans that nothing is kept of, in entries. A few thousand are
/// remembered, by fingerprints: a false sum costs a build too early.
struct ScanLedger: Sendable {
  private static let countLimit = 4096

  private var costs: [UInt64: Int] = [:]

  private func place(_ key: ScanKey, _ purpose: ScanCache.Purpose) -> UInt64 {
    purpose == .walking ? key.fingerprint : ~key.fingerprint
  }

  /// Adds to what was spent on a scan; the sum counts from the second time on.
  mutating func spend(
    _ entryCount: Int, on key: ScanKey, for purpose: ScanCache.Purpose
  ) -> Int {
    let before = costs[place(key, purpose), default: 0]
    costs[place(key, purpose)] = before + entryCount
    if costs.count > ScanLedger.countLimit { age() }
    return before > 0 ? before + entryCount : 0
  }

  /// Forgets what was spent: it is paid back.
  mutating func settle(_ key: ScanKey, for purpose: ScanCache.Purpose) {
    costs[place(key, purpose)] = nil
  }

  /// Takes note that a scan isn't worth keeping, for as long as costs are remembered.
  mutating func refuse(_ key: ScanKey, for purpose: ScanCache.Purpose) {
    costs[place(key, purpose)] = -(1 << 40)
  }

  /// Halves all costs, and forgets the small ones.
  private mutating func age() {
    costs = costs.compactMapValues { abs($0) >= 256 ? $0 / 2 : nil }
    if costs.count > ScanLedger.countLimit / 2 { costs = [:] }
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

extension Engine {
  /// What is kept of index scans; all zeros where nothing is.
  package var scanCacheStatistics: ScanCacheStatistics {
    caches.scans?.statistics ?? ScanCacheStatistics()
  }
}
