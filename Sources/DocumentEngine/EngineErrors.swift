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

  /// A store's error in Firestore's codes.
  package init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .closed: .failedPrecondition
      case .locked, .poisoned: .unavailable
      case .notAStore: .notFound
      case .occupied: .alreadyExists
      case .newerFormat: .unimplemented
      case .permission: .permissionDenied
      case .corrupt: .dataLoss
      case .full: .resourceExhausted
      case .inputOutput: .unavailable
      }
    self.init(code, error.message, cause: error)
  }
}
