import HearthDocumentModel
import Foundation
import Hearth
import HearthOrderedStore
import TestSupport

/// Four writers and four readers that make their calls at fixed times, whether or not the earlier
/// calls were answered.
final class ApplicationLoad: Sendable {
  private static let threadCount = 4

  /// The waiting times of the calls, in microseconds.
  private struct Waits {
    var reads: [Double] = []
    var writes: [Double] = []
  }

  private struct State {
    var isRunning = false
    var runningCount = 0
    var waits = Waits()
  }

  private let database: Database
  private let documentCount: Int
  private let options: BuildFloorOptions
  private let state = Lock(State())

  init(_ database: Database, _ tasks: TaskDatabase, _ options: BuildFloorOptions) {
    self.database = database
    documentCount = tasks.documentCount
    self.options = options
  }

  func start() {
    state.withLock { state in
      state.isRunning = true
      state.runningCount = 2 * ApplicationLoad.threadCount
    }
    for thread in 0..<ApplicationLoad.threadCount {
      startThread(UInt64(thread), rate: options.writeRate) {
        $1.writes.append($0)
      } _: {
        try $0.write(&$1)
      }
      startThread(UInt64(thread) + 100, rate: options.readRate) {
        $1.reads.append($0)
      } _: {
        try $0.read(&$1)
      }
    }
  }

  /// Ends the load, and returns once the last call has its answer.
  func stop() {
    state.withLock { $0.isRunning = false }
    state.withLock(when: { $0.runningCount == 0 }) { _ in }
  }

  private func startThread(
    _ seed: UInt64, rate: Double, _ keep: @escaping @Sendable (Double, inout Waits) -> Void,
    _ body: @escaping @Sendable (ApplicationLoad, inout SplitMix64) throws -> Void
  ) {
    Thread { [self] in
      var random = SplitMix64(seed: seed)
      let interval = Duration.seconds(Double(ApplicationLoad.threadCount) / rate)
      var due = ContinuousClock.now
      while state.withLock({ $0.isRunning }) {
        // Random, so that threads don't make their calls at once.
        due += interval * Double.random(in: 0.5...1.5, using: &random)
        let early = due - ContinuousClock.now
        if early > .zero { usleep(UInt32(early / .microseconds(1))) }
        do {
          try body(self, &random)
        } catch {
          print("failed: \(error)")
          exit(1)
        }
        let wait = (ContinuousClock.now - due) / .microseconds(1)
        state.withLock { keep(wait, &$0.waits) }
      }
      state.withLock { $0.runningCount -= 1 }
    }.start()
  }

  private func write(_ random: inout SplitMix64) throws {
    let number = Int.random(in: 0..<(documentCount + documentCount / 10), using: &random)
    _ = try database.commitRequest([TaskDatabase.write(number, &random)])
  }

  private func read(_ random: inout SplitMix64) throws {
    if random.oneIn(2) {
      let number = Int.random(in: 0..<documentCount, using: &random)
      _ = try database.document(TaskDatabase.path(number).description).getDocument()
    } else {
      let user = "user\(Int.random(in: 0..<TaskDatabase.userCount, using: &random))"
      _ = try database.collection(TaskDatabase.group)
        .whereField("userId", isEqualTo: .string(user))
        .order(by: "createdTime", descending: true).limit(to: 20).getDocuments()
    }
  }

  /// Returns the waiting times since the last call.
  @discardableResult
  func takeFigures() -> String {
    let waits = state.withLock { state in
      defer { state.waits = Waits() }
      return state.waits
    }
    func line(_ name: String, _ waits: [Double]) -> String {
      let sorted = waits.sorted()
      guard let longest = sorted.last else { return "\(name) none" }
      func at(_ share: Double) -> Int { Int(sorted[Int(Double(sorted.count - 1) * share)]) }
      return
        "\(name) \(sorted.count): p50 \(at(0.5)) us, p99 \(at(0.99)) us, max \(Int(longest)) us"
    }
    return line("reads", waits.reads) + "; " + line("writes", waits.writes)
  }
}
