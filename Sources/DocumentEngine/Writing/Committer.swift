import DocumentModel
import OrderedStore
import StorageFormat

/// Makes commits durable, several in one synced write.
///
/// There is no thread behind it. A caller that finds nobody leading leads: it takes the waiting
/// requests that fit together, writes them as one batch, answers them, and hands the lead to the
/// next that waits. Everybody else waits for an answer or for the lead, as LevelDB's own writers
/// do. All changes of a database pass here, one group at a time, so nothing that a group reads can
/// change under it.
final class Committer: Sendable {
  private struct Queue {
    var waiting: [CommitRequest] = []
    var isLed = false
  }

  private let queue = Lock(Queue())

  /// Blocks until `request` is answered.
  ///
  /// - Parameter write: answers each request of a group; called by one thread at a time.
  func commit(
    _ request: CommitRequest, write: ([CommitRequest]) -> Void
  ) throws(DatabaseError) -> CommitResult {
    let leads = queue.withLock { queue in
      queue.waiting.append(request)
      defer { queue.isLed = true }
      return !queue.isLed
    }
    if leads || request.waitForAnswerOrLead() { lead(until: request, write) }
    return try request.answer()
  }

  /// Leads until `request` is answered, which takes more than one group only if it did not fit into
  /// the first.
  private func lead(until request: CommitRequest, _ write: ([CommitRequest]) -> Void) {
    repeat {
      write(queue.withLock { Committer.takeGroup(from: &$0) })
    } while !request.isAnswered
    let next = queue.withLock { queue in
      queue.isLed = !queue.waiting.isEmpty
      return queue.waiting.first
    }
    next?.handLead()
  }

  /// The requests at the head of the queue that may share a group: no document twice, and what is
  /// exclusive alone.
  private static func takeGroup(from queue: inout Queue) -> [CommitRequest] {
    guard queue.waiting.count > 1 else {
      defer { queue.waiting.removeAll(keepingCapacity: true) }
      return queue.waiting
    }
    var paths: Set<ResourcePath> = []
    var byteCount = 0
    var count = 0
    for request in queue.waiting {
      let fits =
        count == 0
        || (!request.isExclusive && byteCount < CommitGroup.byteCountLimit
          && paths.isDisjoint(with: request.paths))
      guard fits else { break }
      count += 1
      if request.isExclusive { break }
      paths.formUnion(request.paths)
      byteCount += request.byteCount
    }
    defer { queue.waiting.removeFirst(count) }
    return Array(queue.waiting.prefix(count))
  }
}
