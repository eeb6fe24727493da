import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// Counts of the generated histories of listeners.
struct ListenerMix {
  var historyCount = 0
  var failureCount = 0
  var silenceCount = 0
  var indexChangeCount = 0
  private var kinds: [String: Int] = [:]
  private var events: [String: Int] = [:]
  private var feed = FeedStatistics()

  private static let kinds = [
    "collection", "collection group", "kindless", "document", "filter", "or", "in",
    "array-contains", "array-contains-any", "not-in or !=", "start", "end", "limit", "last",
    "offset", "projection",
  ]

  mutating func add(_ listened: ListenedQuery, isShared: Bool) {
    if isShared { events["listeners to what is listened to", default: 0] += 1 }
    let query = listened.query
    if query.collectionID.isEmpty {
      add("kindless")
    } else {
      add(query.allDescendants ? "collection group" : "collection")
    }
    if query.start != nil { add("start") }
    if query.end != nil { add("end") }
    if listened.isReversed { add("last") } else if query.limit != nil { add("limit") }
    if query.offset > 0 { add("offset") }
    if query.projection != nil { add("projection") }
    guard let filter = query.filter else { return }
    if case .field(.documentID, .equal, _) = filter { return add("document") }
    add("filter")
    if filter.isAlternative { add("or") }
    let comparisons = filter.comparisons
    if comparisons.contains(.in) { add("in") }
    if comparisons.contains(.arrayContains) { add("array-contains") }
    if comparisons.contains(.arrayContainsAny) { add("array-contains-any") }
    if comparisons.contains(.notIn) || comparisons.contains(.notEqual) { add("not-in or !=") }
  }

  private mutating func add(_ kind: String) { kinds[kind, default: 0] += 1 }

  mutating func add(commitCount: Int) {
    if commitCount > 1 { events["steps over several commits", default: 0] += 1 }
  }

  mutating func add(_ snapshot: ListenerSnapshot, isLate: Bool, isFirst: Bool) {
    if isFirst { return events["first snapshots", default: 0] += 1 }
    events["later snapshots", default: 0] += 1
    if isLate { events["snapshots over several steps", default: 0] += 1 }
    if snapshot.changes.count > 1 { events["snapshots of several changes", default: 0] += 1 }
    for kind in Set(snapshot.changes.map(\.kind)) {
      events["snapshots with \(kind)", default: 0] += 1
    }
    if snapshot.changes.contains(where: { $0.kind == .modified && $0.oldIndex != $0.newIndex }) {
      events["snapshots with a move", default: 0] += 1
    }
  }

  /// Adds the work of a feed since it began. The last figures of each database count.
  mutating func take(_ statistics: FeedStatistics) {
    if statistics.commitCount < feed.commitCount { total(feed) }
    feed = statistics
  }

  private mutating func total(_ statistics: FeedStatistics) {
    events["feed: changed documents", default: 0] += statistics.changeCount
    events["feed: candidates", default: 0] += statistics.candidateCount
    events["feed: posts", default: 0] += statistics.postCount
    events["feed: runs of queries", default: 0] += statistics.runCount
  }

  mutating func check() {
    total(feed)
    for (kind, count) in kinds.sorted(by: { $0.key < $1.key }) { print("  \(kind): \(count)") }
    for (event, count) in events.sorted(by: { $0.key < $1.key }) { print("  \(event): \(count)") }
    print("  = histories: \(historyCount)")
    print("  = terminal errors: \(failureCount)")
    print("  = nothing to take: \(silenceCount)")
    print("  = index changes: \(indexChangeCount)")
    // Shares mean little in a small sample.
    guard historyCount >= 2_000 else { return }
    let listenerCount = kinds["collection", default: 0] + kinds["collection group", default: 0]
    for kind in Self.kinds {
      #expect(kinds[kind, default: 0] * 100 >= listenerCount, "too few: \(kind)")
    }
    let later = events["later snapshots", default: 0]
    for event in ["added", "removed", "modified", "a move"] {
      // About 3.4 in a hundred move a document.
      #expect(events["snapshots with \(event)", default: 0] * 100 >= later, "too few: \(event)")
    }
    #expect(events["snapshots over several steps", default: 0] * 10 >= later)
    #expect(failureCount * 200 >= historyCount)
    #expect(later >= historyCount)
  }
}

extension Filter {
  fileprivate var isAlternative: Bool {
    switch self {
    case .or(let filters): filters.count > 1 || filters.contains(where: \.isAlternative)
    case .and(let filters): filters.contains(where: \.isAlternative)
    case .unary, .field: false
    }
  }

  fileprivate var comparisons: [Comparison] {
    switch self {
    case .or(let filters), .and(let filters): filters.flatMap(\.comparisons)
    case .field(_, let comparison, _): [comparison]
    case .unary: []
    }
  }
}
