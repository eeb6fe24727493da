import Dispatch
public import Foundation
import Hearth

#if !canImport(ObjectiveC)
  /// The place for an error that a closure reports in place of throwing it. Apple's platforms have
  /// a type of this name.
  public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
#endif

/// Number of times that a transaction is tried.
public final class TransactionOptions {
  /// Number of times that the closure is run at most, until its writes meet no conflict.
  public var maxAttempts = 5

  /// Five attempts.
  public init() {}
}

extension Firestore {
  /// Runs `updateBlock` as one serialisable transaction, behind the writes that were asked for so
  /// far, and on a thread of its own: its reads and writes are as if nobody else used the database
  /// meanwhile (§7.4).
  ///
  /// If another commit changed what it read, it is run again, up to five times. If it sets the
  /// error pointer, nothing is written.
  ///
  /// - Parameters:
  ///   - updateBlock: reads and writes through the transaction that it is given, and nothing else.
  ///   - completion: is called with what the last run returned, or with the error.
  public func runTransaction(
    _ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
    completion: @escaping (Any?, (any Error)?) -> Void
  ) {
    runTransaction(with: nil, block: updateBlock, completion: completion)
  }

  /// The same with options.
  public func runTransaction(
    with options: TransactionOptions?,
    block updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
    completion: @escaping (Any?, (any Error)?) -> Void
  ) {
    if let refusal { return completion(nil, refusal) }
    let handler = Handler { (result: Result<TransactionValue, any Error>) in
      switch result {
      case .success(let value): completion(value.value, nil)
      case .failure(let error): completion(nil, error)
      }
    }
    run(with: options, updateBlock) { result in
      self.settingsValues.dispatchQueue.async {
        handler.call(result)
      }
    }
  }

  /// The same, awaited: no handler is called.
  @discardableResult
  public nonisolated(nonsending) func runTransaction(
    _ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?
  ) async throws -> Any? {
    try await runTransaction(with: nil, block: updateBlock)
  }

  /// The same, awaited: no handler is called.
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
    let block = UpdateBlock(run: updateBlock)
    operations.transaction {
      completion(
        self.outcome {
          try self.database().runTransaction(attempts) { stored in
            try block.attempt(Transaction(stored, in: self))
          }
        })
    }
  }
}

/// A closure of the caller's that one thread runs at a time, so that it need not be `@Sendable`.
private struct UpdateBlock: @unchecked Sendable {
  let run: (Transaction, NSErrorPointer) -> Any?

  /// Runs the closure once.
  ///
  /// - Throws: the error that it reports, or what was wrong with a write.
  func attempt(_ transaction: Transaction) throws -> TransactionValue {
    var error: NSError?
    let value = withUnsafeMutablePointer(to: &error) { run(transaction, $0) }
    if let error { throw error }
    try transaction.checkWrites()
    return TransactionValue(value: value)
  }
}

/// Result of a transaction's closure: it is handed from the thread that made it to the one
/// that takes it.
private struct TransactionValue: @unchecked Sendable {
  let value: Any?
}
