package import HearthDocumentModel
package import HearthOrderedStore
import HearthStorageFormat

/// Runs `body`, and converts any error that it throws into the error that the engine's callers see.
/// Errors of the layers below are converted only here.
package func reportingErrors<Result>(
  _ body: () throws -> Result
) throws(DatabaseError) -> Result {
  do {
    return try body()
  } catch {
    throw DatabaseError(reporting: error)
  }
}

extension DatabaseError {
  /// Returns an error for stored records that contradict each other.
  package static func damaged(_ message: String) -> DatabaseError {
    DatabaseError(
      .dataLoss, "\(message) Run `hearth verify` to see what else is affected.")
  }

  /// The error of a transaction or a write that another one was in the way of. It may be tried
  /// again (§7.4).
  static var contention: DatabaseError {
    DatabaseError(.aborted, "Too much contention on these documents. Please try again.")
  }

  /// The error of a transaction with locks that has ended.
  static var transactionExpired: DatabaseError {
    DatabaseError(.aborted, "The referenced transaction has expired or is no longer valid.")
  }

  /// Whether the store reported the error, and no rule of Hearth's is the reason.
  package var isOfStore: Bool { cause is StoreError }

  package init(reporting error: any Error) {
    switch error {
    case let error as DatabaseError: self = error
    case let error as StoreError: self.init(error)
    case let error as CorruptBytes:
      self = .damaged("Stored bytes are damaged: \(error)")
    default: self.init(.internal, "\(error)", cause: error)
    }
  }

  /// Creates an error with Firestore's code for a store's error, with the cause and advice.
  package init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .closed, .forked, .readOnly: .failedPrecondition
      case .locked, .poisoned: .unavailable
      case .notAStore: .notFound
      case .occupied: .alreadyExists
      case .newerFormat: .unimplemented
      case .permission: .permissionDenied
      case .corrupt: .dataLoss
      case .full, .tooManyFiles: .resourceExhausted
      case .inputOutput: .unavailable
      case .reservedValue: .internal
      }
    let advice = Self.advice(for: error.code).map { ". \($0)" } ?? ""
    self.init(code, error.description + advice, cause: error)
  }

  /// Returns a sentence of advice for an error of the store; `nil` if the error itself says enough.
  private static func advice(for code: StoreError.Code) -> String? {
    switch code {
    case .corrupt:
      "Restore a backup, or recover what can be read: `hearth salvage` writes it to a new database."
    case .full:
      "Make room on the disk, or raise the limit that was reached."
    case .tooManyFiles:
      "Close files that this process doesn't need, or raise its limit of open files (`ulimit -n`)."
    case .closed, .forked, .locked, .notAStore, .occupied, .newerFormat, .readOnly, .permission,
      .inputOutput, .poisoned, .reservedValue:
      nil
    }
  }
}

extension ForkMark {
  /// Throws in a process that was forked after the mark was made.
  ///
  /// The caller checks before it takes a lock, since a thread that doesn't exist in the forked
  /// process may hold it.
  ///
  /// - Throws: `failedPrecondition`.
  package func check() throws(DatabaseError) {
    if isInherited { throw DatabaseError(StoreError.forked) }
  }
}
