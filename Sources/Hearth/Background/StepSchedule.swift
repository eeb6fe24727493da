import Dispatch
import Synchronization

/// Runs the steps of something that works beside the callers, one at a time, on a thread of its
/// own, when they are asked for or due.
final class StepSchedule: Sendable {
  private let queue: DispatchQueue
  private let step: @Sendable () -> Duration?
  private let isRequested = Flag()
  private let isStopped = Flag()
  /// Counts the steps: whoever waits for the time of the next gives up when there was another.
  private let stepNumber = Atomic(0)

  /// - Parameters:
  ///   - label: the thread's name.
  ///   - step: does a piece of work that is soon done, and tells how long to wait before the next;
  ///     `nil` is until one is asked for.
  init(_ label: String, _ step: @escaping @Sendable () -> Duration?) {
    // A quality of service that no waiting call has (`Blocking`).
    queue = DispatchQueue(label: label, qos: .default)
    self.step = step
  }

  /// Asks for a step: one answers all requests that come before it begins.
  func requestStep() {
    guard !isStopped.isRaised, isRequested.raise() else { return }
    queue.async { self.run() }
  }

  private func run() {
    guard !isStopped.isRaised else { return }
    // Before the step, which might miss what comes from now on.
    isRequested.lower()
    let number = stepNumber.add(1, ordering: .relaxed).newValue
    guard let wait = step() else { return }
    guard wait > .zero else { return requestStep() }
    queue.asyncAfter(deadline: .now() + wait / .seconds(1)) { [weak self] in
      guard let self, stepNumber.load(ordering: .relaxed) == number else { return }
      run()
    }
  }

  /// Waits for the step that is running; there will be no other. Never from inside a step.
  func stop() {
    isStopped.raise()
    queue.sync {}
  }
}
