import Dispatch
import Synchronization

/// Hashes passwords on threads of its own, a few at a time, since each takes memory and long.
package final class PasswordHasher: Sendable {
  /// Number of hashes that are made at the same time.
  private static let threadCount = 2

  private let algorithm: PasswordAlgorithm
  private let waitingLimit: Int
  private let noteHash: @Sendable () -> Void
  private let queues: [DispatchQueue]
  private let state = Mutex(State())
  /// The hash with which a password is compared where there is no account, so that the answer takes
  /// as long.
  private let dummy: PasswordHash

  private struct State {
    var nextQueue = 0
    var waitingCount = 0
  }

  /// - Parameters:
  ///   - algorithm: the way of new hashes.
  ///   - waitingLimit: the number of calls that may wait or run; more are refused.
  ///   - noteHash: hears of each hash that is made, for a comparison too.
  package init(
    _ algorithm: PasswordAlgorithm = .usual, waitingLimit: Int = 256,
    noteHash: @escaping @Sendable () -> Void = {}
  ) {
    self.algorithm = algorithm
    self.waitingLimit = waitingLimit
    self.noteHash = noteHash
    queues = (0..<PasswordHasher.threadCount).map { DispatchQueue(label: "hearth.passwords.\($0)") }
    dummy = PasswordHash(
      algorithm, salt: [UInt8](repeating: 0, count: 16), hash: [UInt8](repeating: 0, count: 32))
  }

  /// Returns the hash of a password, in the form in which it is stored.
  ///
  /// - Throws: `tooMany`, `unusable`.
  package func hash(_ password: String) async throws(PasswordError) -> String {
    try await run { [algorithm, noteHash] () throws(PasswordError) in
      noteHash()
      return try PasswordHash(of: password, by: algorithm).text
    }
  }

  /// Whether a stored hash is that of a password. Without a stored hash the same work is done for
  /// the answer `false`, and beside one that is quick to make.
  ///
  /// - Throws: `tooMany`, `unusable`; `damaged` for a hash that can't be read.
  package func matches(
    _ password: String, _ stored: String?
  ) async throws(PasswordError) -> Bool {
    let known: PasswordHash? =
      if let stored { try PasswordHash(text: stored) } else { nil }
    return try await run { [dummy, noteHash] () throws(PasswordError) in
      var isRight = false
      if let known {
        noteHash()
        isRight = try known.isHash(of: password)
      }
      if known?.algorithm.isQuick ?? true {
        noteHash()
        _ = try dummy.isHash(of: password)
      }
      return isRight
    }
  }

  /// Whether a stored hash is to be made anew, since it isn't of the way of new ones.
  ///
  /// - Throws: `damaged` for a hash that can't be read.
  package func isOutdated(_ stored: String) throws(PasswordError) -> Bool {
    try PasswordHash(text: stored).algorithm != algorithm
  }

  /// Runs work on one of the threads.
  ///
  /// - Throws: `tooMany`; the errors of `body`.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(PasswordError) -> Result
  ) async throws(PasswordError) -> Result {
    let queue = try takeQueue()
    defer { state.withLock { $0.waitingCount -= 1 } }
    let result: Swift.Result<Result, PasswordError> = await withCheckedContinuation { waiter in
      queue.async {
        do throws(PasswordError) {
          waiter.resume(returning: .success(try body()))
        } catch {
          waiter.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  private func takeQueue() throws(PasswordError) -> DispatchQueue {
    let index = state.withLock { state -> Int? in
      guard state.waitingCount < waitingLimit else { return nil }
      state.waitingCount += 1
      state.nextQueue = (state.nextQueue + 1) % queues.count
      return state.nextQueue
    }
    guard let index else { throw .tooMany }
    return queues[index]
  }
}
