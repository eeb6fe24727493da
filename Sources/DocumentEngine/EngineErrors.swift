package import DocumentModel
package import OrderedStore
import StorageFormat

/// Runs `body` and words whatever it throws as the engine's callers see it: the one place where the
/// errors of the layers below are converted.
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
  /// For stored records that contradict each other.
  static func damaged(_ message: String) -> DatabaseError {
    DatabaseError(
      .dataLoss, "\(message) Run `hearth verify` to see what else is affected.")
  }

  package init(reporting error: any Error) {
    switch error {
    case let error as DatabaseError: self = error
    case let error as StoreError: self.init(error)
    case let error as CorruptBytes:
      self = .damaged("Stored bytes are damaged: \(error)")
    default: self.init(.internal, "\(error)", cause: error)
    }
  }

  /// A store's error in Firestore's codes, with its cause and what to do about it.
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

  /// A sentence on what to do about an error of the store that doesn't tell it by itself.
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
  /// Throws in a process that was forked since the mark was made.
  ///
  /// Whoever asks does so before it takes a lock: a thread that is not there may have it.
  ///
  /// - Throws: `failedPrecondition`.
  package func check() throws(DatabaseError) {
    if isInherited { throw DatabaseError(StoreError.forked) }
  }
}
