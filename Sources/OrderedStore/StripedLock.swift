/// A value that many threads read at once and few change.
///
/// Each stripe of threads has a lock. A reader takes only that of its own stripe, and a change
/// takes all of them. So readers of different stripes neither wait for each other nor write to the
/// same memory. A change costs as much as four of a ``Lock``, and all readers wait for it.
package final class StripedLock<State: ~Copyable>: @unchecked Sendable {
  /// The state, at a place of its own: readers get the place, since even a copy would count
  /// references that they share.
  private let state: UnsafeMutablePointer<State>
  /// The locks of the stripes, whose references are not counted by readers either.
  private let locks: UnsafeMutablePointer<Unmanaged<Lock<UInt8>>>

  package init(_ state: consuming sending State) {
    self.state = .allocate(capacity: 1)
    self.state.initialize(to: state)
    locks = .allocate(capacity: threadStripeCount)
    for stripe in 0..<threadStripeCount {
      (locks + stripe).initialize(to: .passRetained(Lock(0, isOfProcess: false)))
    }
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    for stripe in 0..<threadStripeCount { locks[stripe].release() }
    locks.deallocate()
  }

  /// Calls `body` with the place of the state, which no thread changes meanwhile. Other readers may
  /// have it too, so `body` changes nothing that the state refers to.
  ///
  /// Taking the lock again inside `body` deadlocks.
  package func read<Result: Sendable, Failure: Error>(
    _ body: (UnsafePointer<State>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let lock = locks[threadStripe()]
    lock._withUnsafeGuaranteedRef { $0.lock() }
    defer { lock._withUnsafeGuaranteedRef { $0.unlock() } }
    return try body(UnsafePointer(state))
  }

  /// Calls `body` with exclusive access to the state.
  ///
  /// Taking the lock again inside `body` deadlocks.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    countLock()
    forEachLock { $0.lock() }
    defer { forEachLock { $0.unlock() } }
    return try body(&state.pointee)
  }

  private func forEachLock(_ body: (Lock<UInt8>) -> Void) {
    for stripe in 0..<threadStripeCount { locks[stripe]._withUnsafeGuaranteedRef(body) }
  }
}
