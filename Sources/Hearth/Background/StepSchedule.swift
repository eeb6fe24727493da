import Dispatch
import Synchronization

/// Runs the steps of background work, one at a time, on a thread of its own, when they are
/// requested or due.
final class StepSchedule: Sendable {
  private let queue: DispatchQueue
  private let step: @Sendable () -> Duration?
  private let isRequested = Flag()
  private let isStopped = Flag()
  /// Number of steps begun. A timer for the next step does nothing if another step has begun since.
  private let stepNumber = Atomic(0)

  /// - Parameters:
  ///   - label: the thread's name.
  ///   - step: does a short piece of work, and returns the time to wait before the next step; `nil`
  ///     to wait until one is requested.
  init(_ label: String, _ step: @escaping @Sendable () -> Duration?) {
    // A quality of service that no waiting call has (`Blocking`).
    queue = DispatchQueue(label: label, qos: .default)
    self.step = step
  }

  /// Requests a step. One step answers all requests that come before it begins.
  func requestStep() {
    guard !isStopped.isRaised, isRequested.raise() else { return }
    queue.async { self.run() }
  }

  private func run() {
    guard !isStopped.isRaised else { return }
    // The flag is lowered before the step, which might miss work that arrives from now on.
    isRequested.lower()
    let number = stepNumber.add(1, ordering: .relaxed).newValue
    guard let wait = step() else { return }
    guard wait > .zero else { return requestStep() }
    queue.asyncAfter(deadline: .now() + wait / .seconds(1)) { [weak self] in
      guard let self, stepNumber.load(ordering: .relaxed) == number else { return }
      run()
    }
  }

  /// Prevents further steps without waiting for the running one.
  func end() { isStopped.raise() }

  /// Waits for the running step, and prevents further ones. It must not be called from inside a
  /// step.
  func stop() {
    isStopped.raise()
    queue.sync {}
  }
}
