import Dispatch
import Hearth

extension Firestore {
  // MARK: With completion handlers

  func read<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value,
    completion: @escaping (Value?, (any Error)?) -> Void
  ) {
    if let refusal { return completion(nil, refusal) }
    let handler = Handler(completion)
    operations.read {
      let result = self.outcome(body)
      self.settingsValues.dispatchQueue.async { handler.call(result) }
    }
  }

  /// Runs a write. Without a completion, an error goes to
  /// ``FirestoreSettings/unhandledErrorHandler``.
  func write(
    isLast: Bool = false, _ body: @escaping @Sendable () throws -> Void,
    completion: (((any Error)?) -> Void)?
  ) {
    if let refusal { return completion?(refusal) ?? report(refusal) }
    let handler = completion.map { Handler($0) }
    operations.write(isLast: isLast) {
      let result = self.outcome(body)
      guard let handler else { return self.reportFailure(of: result) }
      self.settingsValues.dispatchQueue.async { handler.call(result.failure) }
    }
  }

  // MARK: Async

  func read<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    if let refusal { throw refusal }
    return try await withCheckedThrowingContinuation { continuation in
      operations.read { continuation.resume(with: self.outcome(body)) }
    }
  }

  func write(
    isLast: Bool = false, _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    if let refusal { throw refusal }
    try await withCheckedThrowingContinuation { continuation in
      operations.write(isLast: isLast) { continuation.resume(with: self.outcome(body)) }
    }
  }

  // MARK: Errors

  /// The error of every call in a forked process, whose queues run nothing; `nil` in other
  /// processes.
  var refusal: (any Error)? {
    do {
      try Blocking.checkProcess()
      return nil
    } catch {
      return firebaseError(error)
    }
  }

  /// Returns the outcome of `body`, with an error as code for Firebase expects it.
  func outcome<Value>(_ body: () throws -> Value) -> Result<Value, any Error> {
    Result(catching: body).mapError { self.firebaseError($0) }
  }

  func report(_ error: any Error) {
    settingsValues.unhandledErrorHandler(firebaseError(error))
  }

  private func reportFailure(of result: Result<Void, any Error>) {
    if case .failure(let error) = result { report(error) }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

// MARK: - The whole database

extension Firestore {
  /// Calls `completion` when all earlier writes and transactions have ended, with or without
  /// errors. Later calls begin after that.
  public func waitForPendingWrites(completion: @escaping ((any Error)?) -> Void) {
    write(isLast: true, {}, completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  public func waitForPendingWrites() async throws {
    try await write(isLast: true) {}
  }

  /// Closes the database when all earlier calls, including transactions, have ended. Every later
  /// call fails.
  public func terminate(completion: (((any Error)?) -> Void)? = nil) {
    write(isLast: true, { try self.database().close() }, completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  public func terminate() async throws {
    try await write(isLast: true) { try self.database().close() }
  }
}
