import HearthStorageFormat

/// The number of an open transaction that locks its reads. Numbers ascend.
struct LockHolderID: Sendable, Hashable {
  let number: UInt64
}

/// The locks that transactions hold, the requests and reads that wait, and the circles among them.
///
/// Locks are shared: each holder has locked the ranges that it has read. A request needs its keys
/// for the moment of its commit only, so it holds nothing, and waits while another transaction
/// holds one of them. A transaction waits with the request that is its commit. A read waits only so
/// that a waiting request isn't overtaken for ever, and never in a circle.
///
/// It is a value, and knows no threads. The waiters that a change frees are collected in `freed`.
struct LockGraph: Sendable {
  /// The identity of a request or a read.
  typealias Waiter = ObjectIdentifier

  private struct Holder {
    /// The rank by age. The transaction with the lowest is the oldest.
    let seniority: UInt64
    var ranges: [KeyRange: RangeMap<LockHolderID>.Handle] = [:]
    var hasScans = false
    /// The request that is its commit, if the request has to wait.
    var commit: Waiter?
    /// Its reads that wait, each with the requests that come first.
    var reads: [Waiter: Set<Waiter>] = [:]
  }

  private struct Request {
    /// The transaction that it commits; `nil` for a request of no such transaction.
    let owner: LockHolderID?
    let arrival: Int
    var written: WrittenKeys
    /// The transactions that it waits for; empty from the time when it may be staged again.
    var holders: Set<LockHolderID>
  }

  /// The waiters that needn't wait any more.
  struct Freed {
    /// The requests that may be staged again, in the order of their arrival.
    var requests: [Waiter] = []
    /// The requests whose transaction has lost its locks.
    var refused: [Waiter] = []
    /// The reads that may be repeated.
    var reads: [Waiter] = []
  }

  enum Admission {
    case isFree, waits, isRefused
  }

  private var holders: [LockHolderID: Holder] = [:]
  private var ranges = RangeMap<LockHolderID>()
  private var requests: [Waiter: Request] = [:]
  private var nextNumber: UInt64 = 1
  private var nextArrival = 0
  private(set) var freed = Freed()

  var holderCount: Int { holders.count }
  var rangeCount: Int { ranges.count }
  /// The size of the ranges' bounds.
  private(set) var rangeByteCount = 0
  /// The number of requests and reads that wait.
  var waiterCount: Int {
    requests.values.count { !$0.holders.isEmpty } + holders.values.reduce(0) { $0 + $1.reads.count }
  }

  mutating func takeFreed() -> Freed {
    defer { freed = Freed() }
    return freed
  }

  // MARK: Holders

  /// - Parameter seniority: the rank of an earlier transaction, which the new one takes over.
  mutating func open(seniority: UInt64?) -> LockHolderID {
    let id = LockHolderID(number: nextNumber)
    nextNumber += 1
    holders[id] = Holder(seniority: seniority ?? id.number)
    return id
  }

  func isOpen(_ id: LockHolderID) -> Bool { holders[id] != nil }

  func seniority(of id: LockHolderID) -> UInt64 { holders[id]?.seniority ?? id.number }

  /// Ends a transaction, and frees the waiters for which it was the last to wait for. A commit of
  /// it that waits is refused.
  mutating func release(_ id: LockHolderID) {
    guard let holder = holders.removeValue(forKey: id) else { return }
    for (range, handle) in holder.ranges {
      ranges.remove(handle)
      rangeByteCount -= range.byteCount
    }
    freed.reads += holder.reads.keys
    if let commit = holder.commit, requests[commit]?.holders.isEmpty == false {
      freed.refused.append(commit)
      settle(commit)
    }
    let waiting = requests.filter { $0.value.holders.contains(id) }
    for (waiter, request) in waiting.sorted(by: { $0.value.arrival < $1.value.arrival }) {
      requests[waiter]?.holders.remove(id)
      if request.holders.count == 1 { freed.requests.append(waiter) }
    }
  }

  mutating func releaseAll() {
    for id in holders.keys { release(id) }
  }

  // MARK: Reads

  /// Locks the keys of a read, unless it has to wait for requests that came first.
  ///
  /// A read passes a request whose keys its transaction holds already, and one that waits for the
  /// transaction itself.
  ///
  /// - Returns: whether the keys are locked.
  mutating func lock(_ reads: ReadSet.Merged, for id: LockHolderID, as read: Waiter) -> Bool {
    let touching = requests.filter { $0.value.owner != id && $0.value.written.touch(reads) }
    let first = touching.filter { _, request in
      isNew(request.written, reads, to: id)
        && way(from: request.holders, to: id, alsoByReads: true) == nil
    }
    guard first.isEmpty else {
      holders[id]?.reads[read] = Set(first.keys)
      return false
    }
    insert(reads, for: id)
    for (waiter, request) in touching where !request.holders.isEmpty {
      requests[waiter]?.holders.insert(id)
    }
    if !touching.isEmpty { freeReadsInCircles() }
    return true
  }

  /// Gives up a read that waits.
  mutating func giveUp(_ read: Waiter, of id: LockHolderID) { holders[id]?.reads[read] = nil }

  private mutating func insert(_ reads: ReadSet.Merged, for id: LockHolderID) {
    reads.forEachRange { range in
      guard holders[id]?.ranges[range] == nil else { return }
      holders[id]?.ranges[range] = ranges.insert(range, id)
      rangeByteCount += range.byteCount
    }
    if reads.hasScans { holders[id]?.hasScans = true }
  }

  /// Whether `reads` has keys among `written` that the transaction doesn't hold.
  private func isNew(
    _ written: WrittenKeys, _ reads: ReadSet.Merged, to id: LockHolderID
  ) -> Bool {
    if written.givesUpEntries, reads.hasScans, holders[id]?.hasScans == false { return true }
    return written.keys.contains { key in
      reads.contains(key.span.bytes) && !holders(of: key.span.bytes).contains(id)
    }
  }

  private func holders(of key: RawSpan) -> Set<LockHolderID> {
    var found: Set<LockHolderID> = []
    ranges.forEach(containing: key) { found.insert($0) }
    return found
  }

  // MARK: Requests

  /// Returns the transactions other than `owner` that hold keys of a request.
  ///
  /// - Parameter forEachKey: calls its argument with each key that the request writes.
  func holders(
    besides owner: LockHolderID?, givingUpEntries: Bool,
    _ forEachKey: ((RawSpan) -> Void) -> Void
  ) -> Set<LockHolderID> {
    var found: Set<LockHolderID> = []
    forEachKey { key in ranges.forEach(containing: key) { found.insert($0) } }
    if givingUpEntries { found.formUnion(holders.filter(\.value.hasScans).keys) }
    if let owner { found.remove(owner) }
    return found
  }

  /// Decides whether a request may go on, has to wait for `holders`, or is aborted.
  ///
  /// In a circle of transactions that wait for each other, the youngest is aborted: the request's
  /// own, or else another one, which then loses its locks.
  ///
  /// - Parameter mayWait: whether the request has time left.
  mutating func admit(
    _ waiter: Waiter, of owner: LockHolderID?, writing written: @autoclosure () -> WrittenKeys,
    heldBy holders: Set<LockHolderID>, mayWait: @autoclosure () -> Bool
  ) -> Admission {
    var left = holders
    guard !left.isEmpty else { return .isFree }
    guard mayWait() else { return .isRefused }
    if let owner {
      guard way(from: left, to: owner, over: { isOlder($0, owner) }) == nil else {
        return .isRefused
      }
      while let circle = way(from: left, to: owner), let youngest = circle.max(by: isOlder) {
        release(youngest)
        left.remove(youngest)
      }
      guard !left.isEmpty else { return .isFree }
      self.holders[owner]?.commit = waiter
    }
    let arrival = requests[waiter]?.arrival ?? nextArrival
    nextArrival += 1
    requests[waiter] = Request(owner: owner, arrival: arrival, written: written(), holders: left)
    // Staged again, a request may write other keys, and so come to wait for a read after it.
    freeReadsInCircles()
    return .waits
  }

  /// Lets a request be staged again whose time is over.
  mutating func withdraw(_ waiter: Waiter) {
    guard requests[waiter]?.holders.isEmpty == false else { return }
    requests[waiter]?.holders = []
    freed.requests.append(waiter)
  }

  mutating func withdrawAll() {
    for (waiter, _) in requests.sorted(by: { $0.value.arrival < $1.value.arrival }) {
      withdraw(waiter)
    }
  }

  /// Removes a request that has waited and has its answer, and frees the reads after it.
  mutating func settle(_ waiter: Waiter) {
    guard let request = requests.removeValue(forKey: waiter) else { return }
    if let owner = request.owner { holders[owner]?.commit = nil }
    for id in holders.keys {
      for read in holders[id]?.reads.keys.map({ $0 }) ?? [] { pass(waiter, by: read, of: id) }
    }
  }

  // MARK: Circles

  private func isOlder(_ left: LockHolderID, _ right: LockHolderID) -> Bool {
    (seniority(of: left), left.number) < (seniority(of: right), right.number)
  }

  /// Returns a shortest way of waits from one of `starts` to `target`; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - alsoByReads: whether it may lead over reads that wait.
  ///   - isPassable: whether it may lead over a transaction other than `target`.
  /// - Complexity: the number of transactions that wait.
  private func way(
    from starts: Set<LockHolderID>, to target: LockHolderID, alsoByReads: Bool = false,
    over isPassable: (LockHolderID) -> Bool = { _ in true }
  ) -> [LockHolderID]? {
    // The order of a set is random, and the choice among circles shouldn't be.
    var open = starts.filter { $0 == target || isPassable($0) }.sorted { $0.number < $1.number }
    var seen = Set(open)
    var previous: [LockHolderID: LockHolderID] = [:]
    var place = 0
    while place < open.count {
      let id = open[place]
      place += 1
      if id == target { return Array(sequence(first: id) { previous[$0] }) }
      for next in waits(of: id, alsoByReads: alsoByReads)
      where (next == target || isPassable(next)) && seen.insert(next).inserted {
        previous[next] = id
        open.append(next)
      }
    }
    return nil
  }

  /// Returns the transactions that a transaction waits for.
  private func waits(of id: LockHolderID, alsoByReads: Bool) -> [LockHolderID] {
    guard let holder = holders[id] else { return [] }
    var waiters = holder.commit.map { [$0] } ?? []
    if alsoByReads { for first in holder.reads.values { waiters += first } }
    return waiters.flatMap { requests[$0]?.holders ?? [] }.sorted { $0.number < $1.number }
  }

  /// Lets those reads go on that wait, over others, for their own transactions.
  private mutating func freeReadsInCircles() {
    for id in holders.keys {
      for (read, first) in holders[id]?.reads ?? [:] {
        for waiter in first {
          let next = requests[waiter]?.holders ?? []
          if way(from: next, to: id, alsoByReads: true) != nil { pass(waiter, by: read, of: id) }
        }
      }
    }
  }

  /// Takes a request from those that a read waits for.
  private mutating func pass(_ waiter: Waiter, by read: Waiter, of id: LockHolderID) {
    guard holders[id]?.reads[read]?.remove(waiter) != nil,
      holders[id]?.reads[read]?.isEmpty == true
    else { return }
    holders[id]?.reads[read] = nil
    freed.reads.append(read)
  }
}

extension KeyRange {
  /// The size of the bounds.
  fileprivate var byteCount: Int { lower.count + upper.count }
}
