import HearthDocumentModel
package import HearthDocumentEngine

extension Database {
  /// Runs `body` as one serialisable transaction: its reads and writes behave as if no other caller
  /// used the database meanwhile (§7.4).
  ///
  /// ```swift
  /// let left = try database.runTransaction { transaction in
  ///   let item = try transaction.getDocument(lamp)
  ///   guard let stock = try item.value("stock", as: Int.self), stock > 0 else { return 0 }
  ///   try transaction.updateData(["stock": .increment(-1)], for: lamp)
  ///   return stock - 1
  /// }
  /// ```
  ///
  /// Nothing is locked. `body` reads from one moment. Its writes are committed if nothing that it
  /// read has been changed since. Otherwise it is run again after a short pause, which starts at a
  /// millisecond and blocks the thread. So `body` should do nothing that may not be repeated.
  ///
  /// The last of several attempts runs alone: all other commits wait for it, up to a second. A
  /// commit from within `body` that isn't the transaction's own would then wait for itself, and is
  /// refused with `failedPrecondition`.
  ///
  /// - Parameters:
  ///   - options: the number of attempts, and whether the transaction only reads.
  ///   - body: a closure that reads and writes only through the transaction that it receives. An
  ///     error that it throws ends the transaction without writes and without another attempt.
  /// - Complexity: the cost of the reads and the commit; the commit looks up each key written
  ///   meanwhile in the set of keys read.
  /// - Returns: the result of the last run of `body`.
  /// - Throws: the errors of `body`; `aborted` once every attempt met a conflict; the errors of a
  ///   commit; `invalidArgument` for less than one attempt; `failedPrecondition` if the last
  ///   attempt would begin inside another transaction's last attempt.
  @discardableResult
  public func runTransaction<T>(
    _ options: TransactionOptions = TransactionOptions(),
    _ body: (Transaction) throws -> T
  ) throws -> T {
    try runTransaction(options, judging: nil, body)
  }

  /// Runs `body` as one serialisable transaction whose writes are judged within the commit.
  ///
  /// - Parameter judgement: the judgement; `nil` for none.
  package func runTransaction<T>(
    _ options: TransactionOptions, judging judgement: CommitJudgement?,
    _ body: (Transaction) throws -> T
  ) throws -> T {
    try observed(.transaction) { try attempt(options, judgement, body) }
  }

  private func attempt<T>(
    _ options: TransactionOptions, _ judgement: CommitJudgement?,
    _ body: (Transaction) throws -> T
  ) throws -> T {
    try options.validate()
    var backoff = Backoff()
    var attemptsLeft = options.maxAttempts
    while true {
      let lone = options.loneAttempt(of: attemptsLeft)
      let transaction = try begin(options, alone: lone, judging: judgement)
      // In case `body` throws; otherwise the transaction has ended by then.
      defer { transaction.rollback() }
      let result = try LoneAttempt.run(lone) { try body(transaction) }
      attemptsLeft -= 1
      if try transaction.commits(orThrows: attemptsLeft == 0) { return result }
      backoff.wait()
    }
  }

  /// Runs an asynchronous closure as one serialisable transaction.
  ///
  /// It behaves like the synchronous form, except that reads, the commit and the pauses between
  /// attempts block none of Swift's threads.
  ///
  /// - Parameters:
  ///   - options: the number of attempts, and whether the transaction only reads.
  ///   - body: a closure that reads and writes only through the transaction that it receives.
  /// - Throws: the errors of the synchronous form; `cancelled` if the task is cancelled before an
  ///   attempt or a commit.
  @discardableResult
  public func runTransaction<T: Sendable>(
    _ options: TransactionOptions = TransactionOptions(),
    _ body: @Sendable (Transaction) async throws -> T
  ) async throws -> T {
    try await runTransaction(options, judging: nil, body)
  }

  /// Does the same with writes that are judged within the commit.
  ///
  /// - Parameter judgement: the judgement; `nil` for none.
  package func runTransaction<T: Sendable>(
    _ options: TransactionOptions, judging judgement: CommitJudgement?,
    _ body: @Sendable (Transaction) async throws -> T
  ) async throws -> T {
    try await observed(.transaction) { try await attempt(options, judgement, body) }
  }

  private func attempt<T: Sendable>(
    _ options: TransactionOptions, _ judgement: CommitJudgement?,
    _ body: @Sendable (Transaction) async throws -> T
  ) async throws -> T {
    try options.validate()
    var backoff = Backoff()
    var attemptsLeft = options.maxAttempts
    while true {
      let lone = options.loneAttempt(of: attemptsLeft)
      attemptsLeft -= 1
      let isLast = attemptsLeft == 0
      let result = try await LoneAttempt.run(lone) {
        try await attempt(options, isLast: isLast, alone: lone, judgement, body)
      }
      if let result { return result }
      try await backoff.wait()
    }
  }

  /// Makes one attempt.
  ///
  /// - Returns: the result of `body`; `nil` after a conflict that isn't the last.
  private func attempt<T: Sendable>(
    _ options: TransactionOptions, isLast: Bool, alone lone: LoneAttempt?,
    _ judgement: CommitJudgement?, _ body: @Sendable (Transaction) async throws -> T
  ) async throws -> T? {
    // An attempt that runs alone waits for its turn, without a bound.
    let transaction = try await Blocking.run(lone == nil ? .read : .unbounded) {
      () throws(DatabaseError) in
      try self.begin(options, alone: lone, judging: judgement)
    }
    defer { transaction.rollback() }
    let result = try await body(transaction)
    let commits = try await Blocking.run(.change) { () throws(DatabaseError) in
      try transaction.commits(orThrows: isLast)
    }
    return commits ? result : nil
  }

  /// Runs a synchronous closure as one serialisable transaction, on one of Hearth's threads. It is
  /// for callers that may not block.
  ///
  /// - Parameters:
  ///   - options: the number of attempts, and whether the transaction only reads.
  ///   - body: a closure that reads and writes only through the transaction that it receives.
  /// - Throws: the errors of the synchronous form; `cancelled` if the task is cancelled before the
  ///   transaction begins.
  @discardableResult
  public func runTransaction<T: Sendable>(
    _ options: TransactionOptions = TransactionOptions(),
    _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws -> T {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      Result { try self.runTransaction(options, body) }
    }.get()
  }

  /// Begins one attempt at a transaction that locks nothing, for work over several requests.
  ///
  /// - Throws: the store's error.
  package func beginAttempt() throws(DatabaseError) -> Transaction {
    try begin(TransactionOptions(), alone: nil, judging: nil)
  }

  private func begin(
    _ options: TransactionOptions, alone lone: LoneAttempt?, judging judgement: CommitJudgement?
  ) throws(DatabaseError) -> Transaction {
    Transaction(
      options.isReadOnly
        ? try engine.beginReadOnlyTransaction(at: options.readTime)
        : try engine.beginTransaction(alone: lone), in: self, judging: judgement)
  }
}

extension Transaction {
  /// Commits, and returns whether the commit met no conflict. On the last attempt, a conflict is an
  /// error.
  fileprivate func commits(orThrows isLast: Bool) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      try commit()
      return true
    } catch {
      guard !isLast, error.code == .aborted else { throw error }
      return false
    }
  }
}

extension TransactionOptions {
  /// Makes an attempt that runs alone if this is the last of several. A caller with a single
  /// attempt only wants to know about a conflict.
  fileprivate func loneAttempt(of attemptsLeft: Int) -> LoneAttempt? {
    attemptsLeft == 1 && maxAttempts > 1 && !isReadOnly ? LoneAttempt() : nil
  }

  fileprivate func validate() throws(DatabaseError) {
    guard maxAttempts >= 1 else { throw .invalidArgument("Max attempts must be at least 1") }
  }
}
