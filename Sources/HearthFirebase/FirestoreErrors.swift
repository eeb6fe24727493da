public import Foundation
import Hearth

/// The domain of the errors that reading, writing and listening end with.
///
/// They are `NSError`s: the code is one of ``FirestoreErrorCode``, the description production's
/// text, and the underlying error Hearth's `DatabaseError`, which knows more, such as the index
/// that a query lacks. Decoding and encoding throw Swift's `DecodingError` and `EncodingError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let FirestoreErrorDomain = "FIRFirestoreErrorDomain"

/// An error of the database, told by its code.
public struct FirestoreErrorCode: Error, Sendable, CustomNSError {
  /// The canonical status codes, by their gRPC numbers.
  public enum Code: Int, Sendable, Hashable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// No error; never the code of one.
    case OK = 0
    /// The task was cancelled.
    case cancelled = 1
    /// Nothing is known of the cause.
    case unknown = 2
    /// The request can never work as it is.
    case invalidArgument = 3
    /// It was not done in time.
    case deadlineExceeded = 4
    /// Something that has to be there is not.
    case notFound = 5
    /// Something that was to be created is there.
    case alreadyExists = 6
    /// The files may not be read or written.
    case permissionDenied = 7
    /// There is no room for it.
    case resourceExhausted = 8
    /// The state of the database doesn't allow it: a missing index, or a document that was changed.
    case failedPrecondition = 9
    /// Others were in the way each time it was tried.
    case aborted = 10
    /// A position outside of what there is.
    case outOfRange = 11
    /// This release does not do it.
    case unimplemented = 12
    /// A mistake in Hearth.
    case `internal` = 13
    /// Another process has the database, or a write has failed.
    case unavailable = 14
    /// Bytes on the disk are damaged.
    case dataLoss = 15
    /// Never: there is nobody to sign in with.
    case unauthenticated = 16

    /// Matches the errors of ``FirestoreErrorDomain`` with this code: `catch
    /// FirestoreErrorCode.notFound`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      let error = error as NSError
      return error.domain == FirestoreErrorDomain && error.code == code.rawValue
    }
  }

  public static let errorDomain = FirestoreErrorDomain

  /// The code itself.
  public let code: Code

  public var errorCode: Int { code.rawValue }

  /// An error that has nothing but its code.
  public init(_ code: Code) { self.code = code }
}

extension FirestoreErrorCode {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// No error; never the code of one.
  public static var OK: Code { .OK }
  /// The task was cancelled.
  public static var cancelled: Code { .cancelled }
  /// Nothing is known of the cause.
  public static var unknown: Code { .unknown }
  /// The request can never work as it is.
  public static var invalidArgument: Code { .invalidArgument }
  /// It was not done in time.
  public static var deadlineExceeded: Code { .deadlineExceeded }
  /// Something that has to be there is not.
  public static var notFound: Code { .notFound }
  /// Something that was to be created is there.
  public static var alreadyExists: Code { .alreadyExists }
  /// The files may not be read or written.
  public static var permissionDenied: Code { .permissionDenied }
  /// There is no room for it.
  public static var resourceExhausted: Code { .resourceExhausted }
  /// The state of the database doesn't allow it: a missing index, or a document that was changed.
  public static var failedPrecondition: Code { .failedPrecondition }
  /// Others were in the way each time it was tried.
  public static var aborted: Code { .aborted }
  /// A position outside of what there is.
  public static var outOfRange: Code { .outOfRange }
  /// This release does not do it.
  public static var unimplemented: Code { .unimplemented }
  /// A mistake in Hearth.
  public static var `internal`: Code { .internal }
  /// Another process has the database, or a write has failed.
  public static var unavailable: Code { .unavailable }
  /// Bytes on the disk are damaged.
  public static var dataLoss: Code { .dataLoss }
  /// Never: there is nobody to sign in with.
  public static var unauthenticated: Code { .unauthenticated }
}

extension Firestore {
  /// The error as Firebase's code expects it: an `NSError` for one of the database, what the
  /// caller's own code threw as it is.
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

  /// End of the message of a missing index, behind production's link: the command that
  /// creates it here (§6.1).
  private func hint(for error: DatabaseError) -> String {
    guard let missing = error.missingIndex, !missing.isBuilding else { return "" }
    if let hidden = missing.hidden.first {
      return "\nOr unhide the index here: " + hidden.unhidingCommand(databasePath: folder)
    }
    return "\nOr create it here: " + missing.index.creationCommand(databasePath: folder)
  }
}
