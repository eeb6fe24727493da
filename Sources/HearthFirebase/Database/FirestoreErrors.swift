public import Foundation
import Hearth

/// The domain of the errors of reading, writing and listening.
///
/// They are `NSError`s. The code is one of ``FirestoreErrorCode``, and the description is
/// production's text. The underlying error is Hearth's `DatabaseError`, which has more details,
/// such as the index that a query lacks. Decoding and encoding throw Swift's `DecodingError` and
/// `EncodingError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let FirestoreErrorDomain = "FIRFirestoreErrorDomain"

/// An error of the database, identified by its code.
public struct FirestoreErrorCode: Error, Sendable, CustomNSError {
  /// The canonical status codes, by their gRPC numbers.
  public enum Code: Int, Sendable, Hashable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// No error; no error has this code.
    case OK = 0
    /// The task was cancelled.
    case cancelled = 1
    /// The cause is unknown.
    case unknown = 2
    /// The request can never succeed as it is.
    case invalidArgument = 3
    /// The operation wasn't done in time.
    case deadlineExceeded = 4
    /// A required document or object doesn't exist.
    case notFound = 5
    /// The document or object to create exists already.
    case alreadyExists = 6
    /// Security rules refuse the request, or the process isn't allowed to read or write the files.
    case permissionDenied = 7
    /// There is no room left.
    case resourceExhausted = 8
    /// The state of the database doesn't allow the operation: for example, an index is missing, or
    /// a document was changed.
    case failedPrecondition = 9
    /// Every attempt met a conflict.
    case aborted = 10
    /// A position is outside the valid range.
    case outOfRange = 11
    /// This release doesn't support the operation.
    case unimplemented = 12
    /// A bug in Hearth.
    case `internal` = 13
    /// Another process has the database, or a write has failed.
    case unavailable = 14
    /// Bytes on the disk are damaged.
    case dataLoss = 15
    /// The user who is signed in has no good token any more.
    case unauthenticated = 16

    /// Matches the errors of ``FirestoreErrorDomain`` with this code: `catch
    /// FirestoreErrorCode.notFound`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      let error = error as NSError
      return error.domain == FirestoreErrorDomain && error.code == code.rawValue
    }
  }

  public static let errorDomain = FirestoreErrorDomain

  /// The code.
  public let code: Code

  public var errorCode: Int { code.rawValue }

  /// Creates an error with only a code.
  public init(_ code: Code) { self.code = code }
}

extension FirestoreErrorCode {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// No error; no error has this code.
  public static var OK: Code { .OK }
  /// The task was cancelled.
  public static var cancelled: Code { .cancelled }
  /// The cause is unknown.
  public static var unknown: Code { .unknown }
  /// The request can never succeed as it is.
  public static var invalidArgument: Code { .invalidArgument }
  /// The operation wasn't done in time.
  public static var deadlineExceeded: Code { .deadlineExceeded }
  /// A required document or object doesn't exist.
  public static var notFound: Code { .notFound }
  /// The document or object to create exists already.
  public static var alreadyExists: Code { .alreadyExists }
  /// Security rules refuse the request, or the process isn't allowed to read or write the files.
  public static var permissionDenied: Code { .permissionDenied }
  /// There is no room left.
  public static var resourceExhausted: Code { .resourceExhausted }
  /// The state of the database doesn't allow the operation: for example, an index is missing, or a
  /// document was changed.
  public static var failedPrecondition: Code { .failedPrecondition }
  /// Every attempt met a conflict.
  public static var aborted: Code { .aborted }
  /// A position is outside the valid range.
  public static var outOfRange: Code { .outOfRange }
  /// This release doesn't support the operation.
  public static var unimplemented: Code { .unimplemented }
  /// A bug in Hearth.
  public static var `internal`: Code { .internal }
  /// Another process has the database, or a write has failed.
  public static var unavailable: Code { .unavailable }
  /// Bytes on the disk are damaged.
  public static var dataLoss: Code { .dataLoss }
  /// The user who is signed in has no good token any more.
  public static var unauthenticated: Code { .unauthenticated }
}

extension Firestore {
  /// Returns the error as code for Firebase expects it: an `NSError` for an error of the database;
  /// other errors come from the caller's own code and are returned unchanged.
  func firebaseError(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    if error.codingFailure != nil, let cause = error.cause { return cause }
    return NSError(
      domain: FirestoreErrorDomain, code: error.code.rawValue,
      userInfo: [
        NSLocalizedDescriptionKey: error.message + hint(for: error),
        NSUnderlyingErrorKey: error,
      ])
  }

  /// Returns the end of the message of a missing index, after production's link: the command that
  /// creates or unhides the index here (§6.1).
  private func hint(for error: DatabaseError) -> String {
    guard let missing = error.missingIndex, !missing.isBuilding else { return "" }
    if let hidden = missing.hidden.first {
      return "\nOr unhide the index here: " + hidden.unhidingCommand(databasePath: folder)
    }
    return "\nOr create it here: " + missing.index.creationCommand(databasePath: folder)
  }
}
