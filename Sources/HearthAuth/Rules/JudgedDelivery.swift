import Dispatch
import Hearth

/// The calls of a closure with the snapshots of a judged listener.
struct JudgedDelivery: Sendable {
  private let task: Task<Void, Never>

  /// Begins the calls, on a queue.
  ///
  /// - Parameter begun: called each time a call is on the queue.
  init<Snapshots: AsyncSequence & Sendable>(
    of snapshots: Snapshots, on queue: DispatchQueue, begun: @escaping @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<Snapshots.Element, DatabaseError>) -> Void
  ) where Snapshots.Failure == DatabaseError, Snapshots.Element: Sendable {
    task = Task {
      do throws(DatabaseError) {
        var iterator = snapshots.makeAsyncIterator()
        while let snapshot = try await iterator.next(isolation: #isolation) {
          await JudgedDelivery.hand(.success(snapshot), on: queue, begun, listener)
        }
      } catch {
        await JudgedDelivery.hand(.failure(error), on: queue, begun, listener)
      }
    }
  }

  /// Ends the listener.
  @Sendable func end() { task.cancel() }

  /// Puts a call on the queue, and waits for it: a later snapshot is taken after that, so that
  /// nothing piles up.
  private static func hand<Snapshot: Sendable>(
    _ result: Result<Snapshot, DatabaseError>, on queue: DispatchQueue,
    _ begun: @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<Snapshot, DatabaseError>) -> Void
  ) async {
    await withCheckedContinuation { continuation in
      queue.async {
        listener(result)
        continuation.resume()
      }
      begun()
    }
  }
}
