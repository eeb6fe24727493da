import Dispatch
import Hearth
import Synchronization

/// The threads on which operations wait for the disk, in an order that a program can rely on. A
/// write begins after all earlier operations have ended, and a read begins after all earlier
/// writes. Reads run side by side.
struct OrderedOperations: Sendable {
  private let queue = DispatchQueue(
    label: "hearth.firebase", qos: .userInitiated, attributes: .concurrent)
  private let transactions = DispatchGroup()

  func read(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Runs a write. It may have to wait for the writes of others, so it doesn't take a thread that
  /// reads need.
  ///
  /// - Parameter isLast: whether it also waits for the transactions that have begun; none begins
  ///   meanwhile.
  func write(isLast: Bool = false, _ body: @escaping @Sendable () -> Void) {
    queue.async(flags: .barrier) {
      queue.suspend()
      Blocking.start(isLast ? .ending : .change) {
        if isLast { transactions.wait() }
        body()
        queue.resume()
      }
    }
  }

  /// Keeps later operations from beginning, until it is released or freed.
  final class Hold: Sendable {
    private let queue: DispatchQueue
    private let isReleased = Mutex(false)

    fileprivate init(_ queue: DispatchQueue) {
      queue.suspend()
      self.queue = queue
    }

    deinit { release() }

    /// Lets later operations begin. It may be called again.
    func release() {
      let wasReleased = isReleased.withLock { isReleased in
        defer { isReleased = true }
        return isReleased
      }
      if !wasReleased { queue.resume() }
    }
  }

  /// Returns a hold for the operation within which this is called.
  func hold() -> Hold { Hold(queue) }

  /// Runs a transaction. It begins like a read, and continues on another thread: it may take long,
  /// and later writes don't wait for it.
  func transaction(_ body: @escaping @Sendable () -> Void) {
    read {
      transactions.enter()
      Blocking.start(.unbounded) {
        body()
        transactions.leave()
      }
    }
  }
}

/// A closure of the caller's. It is called once or in order, and only on the queue that the caller
/// chose. So it need not be `@Sendable`, as with Firebase.
struct Handler<Argument>: @unchecked Sendable {
  let call: (Argument) -> Void

  init(_ call: @escaping (Argument) -> Void) { self.call = call }
}

extension Handler {
  /// Creates the handler of a result from a closure that takes a value or an error.
  init<Value>(
    _ call: @escaping (Value?, (any Error)?) -> Void
  ) where Argument == Result<Value, any Error> {
    self.init { result in
      switch result {
      case .success(let value): call(value, nil)
      case .failure(let error): call(nil, error)
      }
    }
  }
}
