package import HearthDocumentModel
import HearthOrderedStore

/// The result of a commit.
package struct CommitResult: Sendable {
  /// The results of the writes, in their order.
  package let writeResults: [WriteResult]
  package let commitTime: Timestamp
}

/// One caller's part of a group, on which the caller waits.
final class CommitRequest: Sendable {
  private enum Status {
    case waiting
    case leading
    case answered(Result<CommitResult, DatabaseError>)
  }

  /// Adds the request's changes to a group. It refuses the request by throwing.
  let stage: @Sendable (inout CommitDraft) throws -> [WriteResult]
  /// The paths of the written documents, one for each write. No other request of its group may
  /// write them.
  let paths: [ResourcePath]
  let byteCount: Int
  /// Whether it must be alone in its group, since it changes more than documents.
  let isExclusive: Bool
  /// The caller's reads, which must still be valid when the request is staged.
  let validation: ReadValidation?
  /// The attempt that it belongs to; `nil` for a request outside of such attempts.
  let attempt: LoneAttempt?
  /// Time of its submission; `nil` if no observer is told how long it waits.
  let submissionTime: ContinuousClock.Instant?

  private let status = Lock(Status.waiting)

  convenience init(
    writes: [Write], validating validation: ReadValidation? = nil, by attempt: LoneAttempt? = nil,
    submittedAt time: ContinuousClock.Instant? = nil
  ) {
    self.init(writing: writes, validating: validation, by: attempt, submittedAt: time) {
      try WriteStaging.stage(writes, in: &$0)
    }
  }

  /// - Parameter stage: applies `writes` or some of them.
  init(
    writing writes: [Write], validating validation: ReadValidation? = nil,
    by attempt: LoneAttempt? = nil,
    submittedAt time: ContinuousClock.Instant? = nil,
    _ stage: @escaping @Sendable (inout CommitDraft) throws -> [WriteResult]
  ) {
    paths = writes.map(\.path)
    byteCount = writes.reduce(0) { $0 + $1.approximateByteCount }
    isExclusive = false
    self.validation = validation
    self.attempt = attempt
    submissionTime = time
    self.stage = stage
  }

  init(exclusive change: @escaping @Sendable (inout CommitDraft) throws -> Void) {
    paths = []
    byteCount = 0
    isExclusive = true
    validation = nil
    attempt = nil
    submissionTime = nil
    stage = {
      try change(&$0)
      return []
    }
  }

  var isAnswered: Bool {
    status.withLock { if case .answered = $0 { true } else { false } }
  }

  /// Blocks until the caller is to lead or has its answer, or up to a moment of the monotonic
  /// clock.
  ///
  /// - Returns: whether the caller is to lead or has its answer.
  func waitForWord(until nanoseconds: UInt64) -> Bool {
    status.wait(untilNanoseconds: nanoseconds) { if case .waiting = $0 { false } else { true } }
  }

  /// Blocks until the caller is to lead or has its answer. Returns whether it is to lead.
  func waitForAnswerOrLead() -> Bool {
    status.withLock(when: { if case .waiting = $0 { false } else { true } }) {
      if case .leading = $0 { true } else { false }
    }
  }

  func handLead() {
    status.withLock { $0 = .leading }
  }

  func answer(with result: Result<CommitResult, DatabaseError>) {
    status.withLock { $0 = .answered(result) }
  }

  /// Returns the answer or throws its error; throws `internal` if there is no answer.
  func answer() throws(DatabaseError) -> CommitResult {
    let result = status.withLock { status -> Result<CommitResult, DatabaseError>? in
      if case .answered(let result) = status { result } else { nil }
    }
    guard let result else { throw DatabaseError(.internal, "A commit was left without an answer.") }
    return try result.get()
  }
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
