package import Glibc

/// A value that one thread at a time may touch, and that threads can wait for.
///
/// Built on a pthread mutex, which the thread sanitizer understands. Whoever waits is woken by
/// every later `withLock` on the same lock, so no wake-up can be forgotten; where many threads wait
/// for different things, each waits on a lock of its own.
///
/// The state is something that takes bytes: of a `Lock<Void>` the thread sanitizer reports races
/// that are none, since Swift gives an empty property the address of the object.
package final class Lock<State>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var state: State
  @exclusivity(unchecked) @usableFromInline var waiterCount = 0
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: sending State) {
    self.state = state
    // With these attributes none of the calls has a way to fail on Linux.
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

  /// Calls `body` with the state, alone, and then wakes the threads that wait for a change.
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

  /// Waits until `condition` holds, then calls `body` with the state in the same turn, so that
  /// nothing can come between.
  ///
  /// It blocks the thread: never on a cooperative one. `condition` is asked once at the start and
  /// after each change, under the lock.
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

  /// Waits until `condition` holds, as `withLock(when:)`, but not longer than up to a moment.
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
  /// Takes the lock for the time of a fork, from before it up to `unlock()`, so that the forked
  /// process has the state as a whole.
  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }
}

/// The calls of the system that a fork takes: this file alone imports the C library.
enum ForkCalls {
  typealias Body = @convention(c) () -> Void

  /// Calls the bodies at every fork: before it, and after it in both processes, in the forked one
  /// before anything else runs there, on the one thread that it has.
  static func onFork(
    before: Body? = nil, inParent: Body? = nil, inChild: @escaping Body
  ) {
    // It fails only without memory for a few words.
    _ = pthread_atfork(before, inParent, inChild)
  }

  static func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }
}
