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

  package init(_ state: sending State) {
    self.state = state
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
    pthread_mutex_lock(mutex)
    defer {
      if waiterCount > 0 { pthread_cond_broadcast(changed) }
      pthread_mutex_unlock(mutex)
    }
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
    pthread_mutex_lock(mutex)
    defer {
      if waiterCount > 0 { pthread_cond_broadcast(changed) }
      pthread_mutex_unlock(mutex)
    }
    while !condition(state) {
      waiterCount += 1
      pthread_cond_wait(changed, mutex)
      waiterCount -= 1
    }
    return try body(&state)
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
  /// Takes the lock for the time of a fork, from before it until `unlock()`, so that the forked
  /// process gets the state as a whole.
  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }
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
