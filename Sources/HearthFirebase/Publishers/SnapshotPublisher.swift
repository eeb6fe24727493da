import Dispatch
public import OpenCombine
import Synchronization

/// The snapshots of a listener, which listens while it is subscribed to.
struct SnapshotPublisher<Output: Sendable>: Publisher {
  typealias Failure = any Error

  let firestore: Firestore
  let snapshots: SnapshotSequence<Output>

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == any Error {
    let subscription = SnapshotSubscription(
      AnySubscriber(subscriber), on: firestore.settingsValues.dispatchQueue)
    subscriber.receive(subscription: subscription)
    subscription.start(snapshots)
  }
}

/// Delivers snapshots to one subscriber, according to its demand.
///
/// A snapshot is taken from the listener when the subscriber demands it. So nothing piles up here:
/// all changes meanwhile are in one snapshot.
private final class SnapshotSubscription<Snapshot: Sendable>: Subscription, @unchecked Sendable {
  // Only `deliver` calls the subscriber, one call after the other.
  private struct State {
    /// The subscriber; `nil` once it has received the completion, or has cancelled.
    var subscriber: AnySubscriber<Snapshot, any Error>?
    var demand = Subscribers.Demand.none
    var task: Task<Void, Never>?
  }

  private let lock = Mutex(())
  private var state: State
  private let queue: DispatchQueue
  /// A stream with an element each time there may be new demand.
  private let signals: AsyncStream<Void>
  private let source: AsyncStream<Void>.Continuation

  init(_ subscriber: AnySubscriber<Snapshot, any Error>, on queue: DispatchQueue) {
    state = State(subscriber: subscriber)
    self.queue = queue
    (signals, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func start(_ snapshots: SnapshotSequence<Snapshot>) {
    let task = Task { await self.deliver(snapshots) }
    let isOver = lock.withLock { _ in
      state.task = task
      return state.subscriber == nil
    }
    if isOver { task.cancel() }
  }

  func request(_ demand: Subscribers.Demand) {
    lock.withLock { _ in state.demand += demand }
    source.yield()
  }

  func cancel() {
    let task = lock.withLock { _ in
      state.subscriber = nil
      return state.task
    }
    task?.cancel()
  }

  private func deliver(_ snapshots: SnapshotSequence<Snapshot>) async {
    do {
      var iterator = snapshots.makeAsyncIterator()
      while await takeDemand(), let snapshot = try await iterator.next() {
        await onQueue { self.hand(snapshot) }
      }
      await onQueue { self.complete(.finished) }
    } catch {
      await onQueue { self.complete(.failure(error)) }
    }
  }

  /// Waits until the subscriber demands a snapshot.
  ///
  /// - Returns: `false` if the task is cancelled, so that there will be no more demand.
  private func takeDemand() async -> Bool {
    while !Task.isCancelled {
      let isAsked = lock.withLock { _ in
        guard state.demand > .none else { return false }
        state.demand -= 1
        return true
      }
      if isAsked { return true }
      // Cancelling the task ends the wait.
      var signal = signals.makeAsyncIterator()
      _ = await signal.next(isolation: nil)
    }
    return false
  }

  private func onQueue(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        body()
        continuation.resume()
      }
    }
  }

  private func hand(_ snapshot: Snapshot) {
    guard let subscriber = lock.withLock({ _ in state.subscriber }) else { return }
    let demand = subscriber.receive(snapshot)
    lock.withLock { _ in state.demand += demand }
  }

  /// Sends the completion to the subscriber, and releases it.
  private func complete(_ completion: Subscribers.Completion<any Error>) {
    let subscriber = lock.withLock { _ in
      defer { state.subscriber = nil }
      return state.subscriber
    }
    subscriber?.receive(completion: completion)
  }
}

extension Query {
  /// Returns a publisher of the results as they are now, and again each time they change. It
  /// listens from the first demand, while it is subscribed to, and publishes on
  /// ``FirestoreSettings/dispatchQueue``.
  ///
  /// A slow subscriber misses some snapshots, but never the latest. The publisher finishes when the
  /// database is closed.
  public func snapshotPublisher(
    includeMetadataChanges: Bool = false
  ) -> AnyPublisher<QuerySnapshot, any Error> {
    SnapshotPublisher(firestore: firestore, snapshots: snapshots).eraseToAnyPublisher()
  }
}

extension DocumentReference {
  /// Returns a publisher of the document as it is now, and again each time it is created, changed
  /// or deleted. A slow subscriber misses some snapshots, but never the latest.
  public func snapshotPublisher(
    includeMetadataChanges: Bool = false
  ) -> AnyPublisher<DocumentSnapshot, any Error> {
    SnapshotPublisher(firestore: firestore, snapshots: snapshots).eraseToAnyPublisher()
  }
}
