import HearthDocumentModel
import HearthOrderedStore

extension CommitWriter {
  /// Applies each of `writes` or refuses it, independently of the others, in one commit.
  func batchWrite(
    _ writes: [Write]
  ) throws(DatabaseError) -> [Result<WriteResult, DatabaseError>] {
    var paths: Set<ResourcePath> = []
    for write in writes where !paths.insert(write.path).inserted {
      throw .invalidArgument(
        "the same document cannot be written more than once in a single request")
    }
    let refusals = writes.map(\.refusal)
    let valid = zip(writes, refusals).filter { $0.1 == nil }.map(\.0)
    var outcomes = try attempt(valid)[...]
    return refusals.map { refusal in
      if let refusal { .failure(refusal) } else { outcomes.removeFirst() }
    }
  }

  private func attempt(
    _ writes: [Write]
  ) throws(DatabaseError) -> [Result<WriteResult, DatabaseError>] {
    guard !writes.isEmpty else { return [] }
    let outcomes = Lock<[Result<WriteResult, DatabaseError>]>([])
    let request = CommitRequest(writing: writes, submittedAt: submissionTime()) { draft in
      let results = try writes.map { write in try CommitWriter.attempt(write, in: &draft) }
      outcomes.withLock { $0 = results }
      return []
    }
    _ = try submit(request)
    return outcomes.withLock { $0 }
  }

  /// - Throws: errors of the database, not of the write.
  private static func attempt(
    _ write: Write, in draft: inout CommitDraft
  ) throws -> Result<WriteResult, DatabaseError> {
    do {
      let results = try draft.stage { try WriteStaging.stage([write], in: &$0) }
      return .success(results[0])
    } catch let error as DatabaseError where error.isRefusal {
      return .failure(error)
    }
  }
}

extension Write {
  /// The error of a write that can't be applied to any document; `nil` for a valid one.
  fileprivate var refusal: DatabaseError? {
    do throws(DatabaseError) {
      try validate()
      try Write.validateTransformCounts([self])
      return nil
    } catch {
      return error
    }
  }
}

extension DatabaseError {
  /// Whether the error says that a write can't be applied, and not that the database can't be read.
  fileprivate var isRefusal: Bool {
    switch code {
    case .invalidArgument, .alreadyExists, .notFound, .failedPrecondition: true
    // It has waited for a lock in vain.
    case .aborted: true
    default: false
    }
  }
}
