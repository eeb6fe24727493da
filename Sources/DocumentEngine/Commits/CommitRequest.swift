package import HearthDocumentModel
import HearthOrderedStore

/// The result of a commit.
package struct CommitResult: Sendable {
  /// The results of the writes, in their order.
  package let writeResults: [WriteResult]
  package let commitTime: Timestamp

  package init(writeResults: [WriteResult], commitTime: Timestamp) {
    self.writeResults = writeResults
    self.commitTime = commitTime
  }
}

/// One caller's part of a group, on which the caller waits.
final class CommitRequest: Sendable {
  fileprivate enum Status {
    case waiting
    case leading
    case parked
    case answered(Result<CommitResult, DatabaseError>)
  }

  /// The word for which the caller waits.
  enum Word {
    case lead
    case answer
    /// The request waits for locks, and isn't in the queue.
    case park
  }

  private struct Progress {
    var status = Status.waiting
    var hasParked = false
    var mayPark = true
  }

  /// Adds the request's changes to a group. It refuses the request by throwing.
  let stage: @Sendable (inout CommitDraft) throws -> [WriteResult]
  /// The writes that it applies; some of them may be refused. No other request of its group may
  /// write their documents.
  let writes: [Write]
  let byteCount: Int
  /// Whether it must be alone in its group, since it changes more than documents.
  let isExclusive: Bool
  /// The caller's reads, which must still be valid when the request is staged.
  let validation: ReadValidation?
  /// The attempt that it belongs to; `nil` for a request outside of such attempts.
  let attempt: LoneAttempt?
  /// The transaction with locks that it commits; `nil` for none.
  let lockHolder: LockHolderID?
  /// Whether new documents may get their index entries later.
  let defersEntries: Bool
  /// Time of its submission; `nil` if no observer is told how long it waits.
  let submissionTime: ContinuousClock.Instant?

  private let progress = Lock(Progress())

  /// - Parameters:
  ///   - judgement: the judgement of the writes; `nil` for none.
  ///   - defersEntries: whether new documents may get their index entries later.
  convenience init(
    writes: [Write], judging judgement: CommitJudgement? = nil,
    validating validation: ReadValidation? = nil, by attempt: LoneAttempt? = nil,
    holding lockHolder: LockHolderID? = nil, submittedAt time: ContinuousClock.Instant? = nil,
    deferringEntries defersEntries: Bool = false
  ) {
    self.init(
      writing: writes, validating: validation, by: attempt, holding: lockHolder,
      submittedAt: time, deferringEntries: defersEntries
    ) {
      try WriteStaging.stage(writes, in: &$0, judging: judgement)
    }
  }

  /// - Parameter stage: applies `writes` or some of them.
  init(
    writing writes: [Write], validating validation: ReadValidation? = nil,
    by attempt: LoneAttempt? = nil, holding lockHolder: LockHolderID? = nil,
    submittedAt time: ContinuousClock.Instant? = nil, deferringEntries defersEntries: Bool = false,
    _ stage: @escaping @Sendable (inout CommitDraft) throws -> [WriteResult]
  ) {
    self.writes = writes
    byteCount = writes.reduce(0) { $0 + $1.approximateByteCount }
    isExclusive = false
    self.validation = validation
    self.attempt = attempt
    self.lockHolder = lockHolder
    self.defersEntries = defersEntries
    submissionTime = time
    self.stage = stage
  }

  init(exclusive change: @escaping @Sendable (inout CommitDraft) throws -> Void) {
    writes = []
    byteCount = 0
    isExclusive = true
    validation = nil
    attempt = nil
    lockHolder = nil
    defersEntries = false
    submissionTime = nil
    stage = {
      try change(&$0)
      return []
    }
  }

  var isAnswered: Bool {
    progress.withLock { if case .answered = $0.status { true } else { false } }
  }

  // MARK: The caller

  /// Blocks until there is a word for the caller, or up to a moment of the monotonic clock.
  ///
  /// - Returns: whether there is one.
  func waitForWord(until nanoseconds: UInt64) -> Bool {
    progress.wait(untilNanoseconds: nanoseconds) { $0.status.word != nil }
  }

  /// Blocks until there is a word for the caller.
  func waitForWord() -> Word {
    progress.withLock(when: { $0.status.word != nil }) { $0.status.word ?? .answer }
  }

  /// Blocks while the request waits for locks, at most up to a moment of the monotonic clock.
  ///
  /// - Returns: whether it waits no more.
  func waitWhileParked(until nanoseconds: UInt64) -> Bool {
    progress.wait(untilNanoseconds: nanoseconds) { !$0.status.isParked }
  }

  /// Returns the answer or throws its error; throws `internal` if there is no answer.
  func answer() throws(DatabaseError) -> CommitResult {
    let result = progress.withLock { progress -> Result<CommitResult, DatabaseError>? in
      if case .answered(let result) = progress.status { result } else { nil }
    }
    guard let result else { throw DatabaseError(.internal, "A commit was left without an answer.") }
    return try result.get()
  }

  // MARK: The leader

  func handLead() { progress.withLock { $0.status = .leading } }

  /// - Returns: whether the request has waited for locks.
  func answer(with result: Result<CommitResult, DatabaseError>) -> Bool {
    progress.withLock { progress in
      progress.status = .answered(result)
      return progress.hasParked
    }
  }

  // MARK: Locks

  /// Whether it has waited for locks.
  var hasParked: Bool { progress.withLock { $0.hasParked } }
  /// Whether it may wait for locks, or wait once more.
  var mayPark: Bool { progress.withLock { $0.mayPark } }

  func park() {
    progress.withLock { progress in
      progress.status = .parked
      progress.hasParked = true
    }
  }

  func unpark() { progress.withLock { $0.status = .waiting } }

  func endParking() { progress.withLock { $0.mayPark = false } }
}

extension CommitRequest.Status {
  fileprivate var word: CommitRequest.Word? {
    switch self {
    case .waiting: nil
    case .leading: .lead
    case .parked: .park
    case .answered: .answer
    }
  }

  fileprivate var isParked: Bool { if case .parked = self { true } else { false } }
}

extension Write {
  fileprivate var approximateByteCount: Int {
    guard case .update(let fields, _) = operation else { return path.storageByteCount }
    return transforms.reduce(path.storageByteCount + fields.storageByteCount) {
      $0 + $1.field.storageByteCount + $1.operation.operandByteCount
    }
  }
}

extension FieldTransform.Operation {
  fileprivate var operandByteCount: Int {
    switch self {
    case .serverTimestamp: 0
    case .increment(let operand), .maximum(let operand), .minimum(let operand):
      operand.storageByteCount
    case .arrayUnion(let operands), .arrayRemove(let operands):
      operands.reduce(0) { $0 + $1.storageByteCount }
    }
  }
}
