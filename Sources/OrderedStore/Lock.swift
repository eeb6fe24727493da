package import Glibc

/// A value that one thread at a time may access, and whose changes threads can wait for.
///
/// It is built on a pthread mutex, which the thread sanitizer understands. Every `withLock` wakes
/// all threads that wait on the same lock, so no wake-up can be forgotten. Where many threads wait
/// for different things, each waits on a lock of its own.
///
/// The state must take up bytes. The thread sanitizer reports false races of a `Lock<Void>`, since
/// Swift gives an empty property the address of the object.
package final class Lock<State>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var state: State
  @exclusivity(unchecked) @usableFromInline var waiterCount = 0
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Whether all threads of the process may meet here, and not only those of one stripe.
  @usableFromInline let isOfProcess: Bool

  /// - Parameter isOfProcess: `false` for a lock that serves the threads of one stripe.
  package init(_ state: sending State, isOfProcess: Bool = true) {
    self.state = state
    self.isOfProcess = isOfProcess
    // With these attributes none of the calls can fail on Linux.
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Calls `body` with exclusive access to the state, then wakes the threads that wait for a
  /// change.
  ///
  /// Taking the lock again inside `body` deadlocks.
  @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    if isOfProcess { countLock() }
    pthread_mutex_lock(mutex)
    defer { unlockAndWake() }
    return try body(&state)
  }

  /// Waits until `condition` holds, then calls `body` with the state without giving up the lock, so
  /// that nothing can change in between.
  ///
  /// It blocks the thread and must not run on a cooperative one. `condition` is checked at the
  /// start and after each change, under the lock.
  @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
    when condition: (borrowing State) -> Bool,
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    if isOfProcess { countLock() }
    pthread_mutex_lock(mutex)
    defer { unlockAndWake() }
    while !condition(state) {
      waiterCount += 1
      pthread_cond_wait(changed, mutex)
      waiterCount -= 1
    }
    return try body(&state)
  }

  /// Unlocks, then wakes the threads that wait for a change. Woken earlier, they would wait for the
  /// mutex.
  @inlinable func unlockAndWake() {
    defer { withExtendedLifetime(self) {} }
    let hasWaiters = waiterCount > 0
    pthread_mutex_unlock(mutex)
    if hasWaiters { pthread_cond_broadcast(changed) }
  }

  /// Waits until `condition` holds, as `withLock(when:)` does, but at most until a given moment.
  ///
  /// - Parameter nanoseconds: the moment, on the system's monotonic clock.
  /// - Returns: whether the condition holds.
  package func wait(
    untilNanoseconds nanoseconds: UInt64, for condition: (borrowing State) -> Bool
  ) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var moment = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    while !condition(state) {
      waiterCount += 1
      let result = pthread_cond_timedwait(changed, mutex, &moment)
      waiterCount -= 1
      if result == ETIMEDOUT { return condition(state) }
    }
    return true
  }
}

extension Lock {
  /// Takes the lock until `unlock()`: for the time of a fork, so that the forked process gets the
  /// state as a whole, or together with other locks.
  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }
}

// MARK: - Stripes of threads

/// The number of stripes: parts into which threads are divided evenly. A power of two.
package let threadStripeCount = 4

/// Returns the stripe of the calling thread.
package func threadStripe() -> Int {
  // The system gives each thread a place in memory, most of them at even distances. Multiples of
  // the golden ratio spread them.
  let mixed = UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15
  return Int(mixed &>> UInt64(64 - threadStripeCount.trailingZeroBitCount))
}

// MARK: - Counting

#if DEBUG || HEARTH_COUNTS_LOCKS
  private let lockCountKey = {
    var key = pthread_key_t()
    // It fails only if the process has a thousand such keys.
    _ = pthread_key_create(&key, nil)
    return key
  }()

  /// One more than the number of locks that the thread has taken; 0 while they aren't counted.
  private var lockCount: Int {
    get { Int(bitPattern: pthread_getspecific(lockCountKey)) }
    set { pthread_setspecific(lockCountKey, UnsafeRawPointer(bitPattern: newValue)) }
  }

  @usableFromInline func countLock() {
    if lockCount > 0 { lockCount += 1 }
  }
#else
  @inlinable @inline(__always) func countLock() {}
#endif

/// Returns the number of locks that the calling thread takes in `body`, without those of its own
/// stripe; `nil` in release builds that aren't made for tests, which don't count.
package func locksTaken<Failure: Error>(
  in body: () throws(Failure) -> Void
) throws(Failure) -> Int? {
  #if DEBUG || HEARTH_COUNTS_LOCKS
    lockCount = 1
    defer { lockCount = 0 }
    try body()
    return lockCount - 1
  #else
    try body()
    return nil
  #endif
}

/// The system calls that a fork needs. Only this file imports the C library.
enum ForkCalls {
  typealias Body = @convention(c) () -> Void

  /// Calls the bodies at every fork: `before` ahead of it, `inParent` and `inChild` after it. In
  /// the forked process `inChild` runs before anything else, on the only thread there.
  static func onFork(
    before: Body? = nil, inParent: Body? = nil, inChild: @escaping Body
  ) {
    // It fails only if there is no memory for a few words.
    _ = pthread_atfork(before, inParent, inChild)
  }

  static func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }
}
