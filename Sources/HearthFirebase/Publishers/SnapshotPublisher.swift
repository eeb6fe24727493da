import Dispatch
public import OpenCombine
import Synchronization

/// The snapshots of a listener, which listens for as long as it is subscribed to.
struct SnapshotPublisher<Snapshot: Sendable>: Publisher {
  typealias Output = Snapshot
  typealias Failure = any Error

  let firestore: Firestore
  let snapshots: SnapshotSequence<Snapshot>

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Snapshot, Downstream.Failure == any Error {
    let subscription = SnapshotSubscription(
      AnySubscriber(subscriber), on: firestore.settingsValues.dispatchQueue)
    subscriber.receive(subscription: subscription)
    subscription.start(snapshots)
  }
}

/// Hands snapshots to one subscriber, as many as it asks for.
///
/// A snapshot is taken from the listener once it is asked for. So nothing piles up here: what
/// changes meanwhile is one snapshot, of all changes since the one before.
private final class SnapshotSubscription<Snapshot: Sendable>: Subscription, @unchecked Sendable {
  // The subscriber is called by `deliver` alone, one call after the other.
  private struct State {
    /// `nil` once it was told the end, or has cancelled.
    var subscriber: AnySubscriber<Snapshot, any Error>?
    var demand = Subscribers.Demand.none
    var task: Task<Void, Never>?
  }

  private let lock = Mutex(())
  private var state: State
  private let queue: DispatchQueue
  /// Has an element whenever something may be asked for.
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

  /// Waits until a snapshot is asked for.
  ///
  /// - Returns: `false` if none will be.
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

  /// Tells the subscriber the end, and lets go of it.
  private func complete(_ completion: Subscribers.Completion<any Error>) {
    let subscriber = lock.withLock { _ in
      defer { state.subscriber = nil }
      return state.subscriber
    }
    subscriber?.receive(completion: completion)
  }
}

extension Query {
  /// A publisher of the results as they are now, and again whenever they change. It listens from
  /// the first demand on, for as long as it is subscribed to, and publishes on
  /// ``FirestoreSettings/dispatchQueue``.
  ///
  /// Who asks for snapshots slowly misses some, and never the latest. The publisher finishes when
  /// the database is closed.
  public func snapshotPublisher(
    includeMetadataChanges: Bool = false
  ) -> AnyPublisher<QuerySnapshot, any Error> {
    SnapshotPublisher(firestore: firestore, snapshots: snapshots).eraseToAnyPublisher()
  }
}

extension DocumentReference {
  /// A publisher of the document as it is now, and again whenever it is created, changed or
  /// deleted. Who asks for snapshots slowly misses some, and never the latest.
  public func snapshotPublisher(
    includeMetadataChanges: Bool = false
  ) -> AnyPublisher<DocumentSnapshot, any Error> {
    SnapshotPublisher(firestore: firestore, snapshots: snapshots).eraseToAnyPublisher()
  }
}
