import Foundation
import HearthFirebase
import XCTest

/// A snapshot of a query or of a document.
protocol SnapshotEvent {}

extension QuerySnapshot: SnapshotEvent {}
extension DocumentSnapshot: SnapshotEvent {}

extension SnapshotEvent {
  // The tests know it from Objective-C, where it may be omitted.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  var metadata: SnapshotMetadata! {
    switch self {
    // The type selects the snapshot's own property. Without it, the call would be to this one.
    case let snapshot as QuerySnapshot: snapshot.metadata as SnapshotMetadata
    case let snapshot as DocumentSnapshot: snapshot.metadata as SnapshotMetadata
    default: nil
    }
  }
}

/// A collector of a listener's events, for a test that waits for them.
final class FSTEventAccumulator<Event> {
  private var events: [Event] = []
  private var takenCount = 0
  private var isComplete = false

  init(forTest test: XCTestCase) {}

  /// The listener that collects the events.
  var valueEventHandler: (Event?, (any Error)?) -> Void {
    { event, error in
      guard let event else { return XCTFail("A listener was told \(error as Any).") }
      if self.isComplete { XCTFail("One event more than expected: \(event)") }
      self.events.append(event)
    }
  }

  /// Returns the next event, after waiting for it. If none comes, the process ends.
  @discardableResult
  func awaitEvent(withName name: String) -> Event {
    Waiting.until("\(name), number \(takenCount + 1)") { self.events.count > self.takenCount }
    takenCount += 1
    return events[takenCount - 1]
  }

  /// Makes every later event a failure.
  func assertNoAdditionalEvents() { isComplete = true }
}

/// Waits on the thread of a test, while the main queue runs.
enum Waiting {
  /// Limit of a wait, in seconds.
  static let patience =
    ProcessInfo.processInfo.environment["FIREBASE_TESTS_PATIENCE"].flatMap(TimeInterval.init) ?? 120

  /// Waits until `isSo` returns `true`. If that takes too long, the process ends: it runs one test.
  static func until(_ name: String, _ isSo: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: patience)
    while !isSo() {
      guard Date() < deadline else { giveUp("\(name) did not come in \(Int(patience)) s") }
      let turn = Date(timeIntervalSinceNow: 0.005)
      if Thread.isMainThread {
        _ = RunLoop.main.run(mode: .default, before: turn)
      } else {
        Thread.sleep(until: turn)
      }
    }
  }

  /// Returns the value that a call completes with.
  static func result<Output>(
    of name: String, _ call: (@escaping (Output) -> Void) -> Void
  ) -> Output {
    let lock = NSLock()
    var output: Output?
    call { value in lock.withLock { output = value } }
    until(name) { lock.withLock { output != nil } }
    guard let output = lock.withLock({ output }) else { giveUp("\(name) had no result") }
    return output
  }

  /// Ends the process, which runs one test, as a failure for `reason`.
  static func giveUp(_ reason: String) -> Never {
    print("error: \(reason)")
    exit(1)
  }
}
