import Dispatch
public import Foundation
import Hearth

#if !canImport(ObjectiveC)
  /// Pointer for an error that a closure reports instead of throwing it. Apple's platforms have a
  /// type of this name.
  public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
#endif

/// Options of a transaction.
public final class TransactionOptions {
  /// Maximum number of runs of the closure, until its writes meet no conflict.
  public var maxAttempts = 5

  /// Creates options with five attempts.
  public init() {}
}

extension Firestore {
  /// Runs `updateBlock` as one serialisable transaction, after all earlier writes, and on a thread
  /// of its own. Its reads and writes behave as if no other caller used the database meanwhile
  /// (§7.4).
  ///
  /// If another commit has changed something that it read, the closure is run again, up to five
  /// times. If it sets the error pointer, nothing is written.
  ///
  /// - Parameters:
  ///   - updateBlock: a closure that reads and writes only through the transaction that it
  ///     receives.
  ///   - completion: a closure that receives the result of the last run, or the error.
  public func runTransaction(
    _ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
    completion: @escaping (Any?, (any Error)?) -> Void
  ) {
    runTransaction(with: nil, block: updateBlock, completion: completion)
  }

  /// Does the same with options.
  public func runTransaction(
    with options: TransactionOptions?,
    block updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
    completion: @escaping (Any?, (any Error)?) -> Void
  ) {
    if let refusal { return completion(nil, refusal) }
    let handler = Handler { (value: TransactionValue?, error) in completion(value?.value, error) }
    run(with: options, updateBlock) { result in
      self.settingsValues.dispatchQueue.async { handler.call(result) }
    }
  }

  /// Does the same asynchronously; no handler is called.
  @discardableResult
  public nonisolated(nonsending) func runTransaction(
    _ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?
  ) async throws -> Any? {
    try await runTransaction(with: nil, block: updateBlock)
  }

  /// Does the same asynchronously; no handler is called.
  @discardableResult
  public nonisolated(nonsending) func runTransaction(
    with options: TransactionOptions?,
    block updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?
  ) async throws -> Any? {
    if let refusal { throw refusal }
    return try await withCheckedThrowingContinuation { continuation in
      run(with: options, updateBlock) { continuation.resume(with: $0) }
    }.value
  }

  private func run(
    with options: TransactionOptions?,
    _ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
    _ completion: @escaping @Sendable (Result<TransactionValue, any Error>) -> Void
  ) {
    let attempts = Hearth.TransactionOptions(maxAttempts: options?.maxAttempts ?? 5)
    let (block, requests) = (UpdateBlock(run: updateBlock), requests)
    operations.transaction {
      completion(
        self.outcome {
          try requests.runTransaction(attempts, in: self.database()) { stored in
            try block.attempt(Transaction(stored, in: self))
          }
        })
    }
  }
}

/// A closure of the caller's that only one thread runs at a time, so that it need not be
/// `@Sendable`.
private struct UpdateBlock: @unchecked Sendable {
  let run: (Transaction, NSErrorPointer) -> Any?

  /// Runs the closure once.
  ///
  /// - Throws: the error that it reports, or the error of a write.
  func attempt(_ transaction: Transaction) throws -> TransactionValue {
    var error: NSError?
    let value = withUnsafeMutablePointer(to: &error) { run(transaction, $0) }
    if let error { throw error }
    try transaction.checkWrites()
    return TransactionValue(value: value)
  }
}

/// Result of a transaction's closure, passed from the thread that made it to the thread that uses
/// it.
private struct TransactionValue: @unchecked Sendable {
  let value: Any?
}
