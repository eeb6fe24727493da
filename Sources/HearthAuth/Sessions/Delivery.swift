import Dispatch
import Synchronization

/// A closure of the caller's, which is called on the caller's queue alone. So it need not be
/// `@Sendable`, as with Firebase.
struct Handler<Argument>: @unchecked Sendable {
  let call: (Argument) -> Void

  init(_ call: @escaping (Argument) -> Void) { self.call = call }
}

/// The queue of completion handlers and listeners.
final class Delivery: Sendable {
  private let target = Mutex(DispatchQueue.main)

  var queue: DispatchQueue {
    get { target.withLock { $0 } }
    set { target.withLock { $0 = newValue } }
  }

  func hand<Argument: Sendable>(_ argument: Argument, to handler: Handler<Argument>) {
    queue.async { handler.call(argument) }
  }
}
