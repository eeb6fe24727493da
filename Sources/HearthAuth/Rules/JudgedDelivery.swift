import Dispatch
import Hearth
import Synchronization

/// The calls of a closure with the snapshots of a judged listener.
struct JudgedDelivery: Sendable {
  private let task: Task<Void, Never>

  /// Begins the calls, on a queue. The first is on the queue when this returns.
  init<Snapshots: AsyncSequence & Sendable>(
    of snapshots: Snapshots, on queue: DispatchQueue,
    _ listener: @escaping @Sendable (Result<Snapshots.Element, DatabaseError>) -> Void
  ) where Snapshots.Failure == DatabaseError, Snapshots.Element: Sendable {
    let first = DispatchGroup()
    first.enter()
    task = Task {
      var begun = BegunDelivery(first)
      do throws(DatabaseError) {
        var iterator = snapshots.makeAsyncIterator()
        while let snapshot = try await iterator.next(isolation: #isolation) {
          await begun.hand(.success(snapshot), on: queue, listener)
        }
      } catch {
        await begun.hand(.failure(error), on: queue, listener)
      }
      begun.end()
    }
    // The thread is one of those that may wait.
    first.wait()
  }

  /// Ends the listener.
  @Sendable func end() { task.cancel() }
}

/// A delivery of which a thread waits for the first call.
private struct BegunDelivery {
  private let first: DispatchGroup
  private var isWaited = true

  init(_ first: DispatchGroup) { self.first = first }

  /// Puts a call on the queue, and waits for it: a later snapshot is taken after that, so that
  /// nothing piles up.
  mutating func hand<Snapshot: Sendable>(
    _ result: Result<Snapshot, DatabaseError>, on queue: DispatchQueue,
    _ listener: @escaping @Sendable (Result<Snapshot, DatabaseError>) -> Void
  ) async {
    let first = isWaited ? first : nil
    isWaited = false
    await withCheckedContinuation { continuation in
      queue.async {
        listener(result)
        continuation.resume()
      }
      first?.leave()
    }
  }

  /// Ends the wait for a listener that was never called.
  mutating func end() {
    if isWaited { first.leave() }
    isWaited = false
  }
}
