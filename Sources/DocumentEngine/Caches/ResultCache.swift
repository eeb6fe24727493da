import HearthOrderedStore

/// The result of a query, which is kept while nothing changes it.
protocol CachedResult: AnyObject, Sendable {
  /// Whether no commit has changed an entry that the result was made of.
  var isRight: Bool { get }
  /// The approximate memory that it takes.
  var byteCount: Int { get }
}

/// The results of queries that were asked at least twice, by hashes of the queries, shared by all
/// readers. The cache doesn't look into them.
///
/// The results stand in sets of four. A new result of a full set takes the place of one that is
/// wrong by now, or of the oldest one.
final class ResultCache: Sendable {
  private static let wayCount = 4
  /// The memory for which there is one place.
  private static let placeByteCount = 2_048

  fileprivate struct State {
    /// The results with the hashes of their queries; empty until the first one is kept.
    var places: [(hash: UInt64, result: any CachedResult)?] = []
    var byteCount = 0
    /// The next place to clear when memory is short.
    var hand = 0
    var isClosed = false
  }

  private let byteCountLimit: Int
  private let placeCount: Int
  private let state = StripedLock(State())
  /// Parts of the hashes of queries that were asked lately, by the rest of their hashes. Each
  /// stripe of threads has its own.
  private let asked = (0..<threadStripeCount).map { _ in
    Lock<[UInt32]>([], isOfProcess: false)
  }

  /// Returns `nil` if `byteCountLimit` is too small for a result.
  init?(byteCountLimit: Int) {
    guard byteCountLimit >= ResultCache.placeByteCount * ResultCache.wayCount else { return nil }
    self.byteCountLimit = byteCountLimit
    var placeCount = ResultCache.wayCount
    while placeCount * 2 * ResultCache.placeByteCount <= byteCountLimit { placeCount *= 2 }
    self.placeCount = placeCount
  }

  /// Returns the result that is kept for a query with this hash; `nil` if there is none. The caller
  /// asks the result whether its query is the same.
  func result(_ hash: UInt64) -> (any CachedResult)? {
    state.read { state in
      guard !state.pointee.places.isEmpty else { return nil }
      for index in places(of: hash) {
        if let place = state.pointee.places[index], place.hash == hash, place.result.isRight {
          return place.result
        }
      }
      return nil
    }
  }

  /// Notes that a query with this hash was asked, and returns whether it was asked lately.
  func isAskedAgain(_ hash: UInt64) -> Bool {
    asked[threadStripe()].withLock { [placeCount] asked in
      if asked.isEmpty { asked = Array(repeating: 0, count: 2 * placeCount) }
      let index = Int(truncatingIfNeeded: hash) & (2 * placeCount - 1)
      let mark = UInt32(truncatingIfNeeded: hash &>> 32)
      defer { asked[index] = mark }
      return asked[index] == mark
    }
  }

  /// Keeps the result of a query with this hash.
  func insert(_ result: some CachedResult, _ hash: UInt64) {
    let byteCount = result.byteCount
    guard byteCount <= byteCountLimit / ResultCache.wayCount else { return }
    state.withLock { [placeCount, byteCountLimit] state in
      guard !state.isClosed else { return }
      if state.places.isEmpty { state.places = Array(repeating: nil, count: placeCount) }
      let index = state.freePlace(among: places(of: hash), for: hash)
      state.places[index] = (hash, result)
      state.byteCount += byteCount
      while state.byteCount > byteCountLimit { state.clearNext(but: index) }
    }
  }

  /// Removes everything and keeps nothing any more.
  func close() {
    state.withLock { state in
      state = State()
      state.isClosed = true
    }
    for asked in asked { asked.withLock { $0 = [] } }
  }

  /// The number of results that are kept, and the memory that they take.
  var statistics: (resultCount: Int, byteCount: Int) {
    state.read { state in
      (state.pointee.places.count { $0 != nil }, state.pointee.byteCount)
    }
  }

  private func places(of hash: UInt64) -> Range<Int> {
    let first = Int(truncatingIfNeeded: hash) & (placeCount - 1) & ~(ResultCache.wayCount - 1)
    return first..<(first &+ ResultCache.wayCount)
  }
}

extension ResultCache.State {
  /// Returns an empty place of a set for a new result, with the older ones behind it.
  fileprivate mutating func freePlace(among set: Range<Int>, for hash: UInt64) -> Int {
    var last = set.upperBound - 1
    for index in set {
      guard let place = places[index], place.hash != hash, place.result.isRight else {
        last = index
        break
      }
    }
    clear(last)
    while last > set.lowerBound {
      places.swapAt(last, last - 1)
      last -= 1
    }
    return last
  }

  fileprivate mutating func clearNext(but kept: Int) {
    hand = hand + 1 < places.count ? hand + 1 : 0
    if hand != kept { clear(hand) }
  }

  private mutating func clear(_ index: Int) {
    byteCount -= places[index]?.result.byteCount ?? 0
    places[index] = nil
  }
}
