/// The reason an operation was refused or failed, in Firestore's terms.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
  /// The canonical status codes that Firestore answers with, with their gRPC numbers.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// The task was cancelled before the operation was done.
    case cancelled = 1
    /// The cause is not known.
    case unknown = 2
    /// The request can never succeed as it is: fix the request.
    case invalidArgument = 3
    /// The operation did not finish in the time given for it.
    case deadlineExceeded = 4
    /// The thing that the request names or requires doesn't exist.
    case notFound = 5
    /// The thing to create exists already.
    case alreadyExists = 6
    /// The files may not be read or written, or security rules refuse the request.
    case permissionDenied = 7
    /// There is no room for the operation, on the disk or within a limit.
    case resourceExhausted = 8
    /// The state of the database doesn't allow it: a missing index, a lost precondition.
    case failedPrecondition = 9
    /// Other operations were in the way at every attempt: try again later.
    case aborted = 10
    /// A position lies outside the valid range.
    case outOfRange = 11
    /// This release does not support the operation.
    case unimplemented = 12
    /// A mistake in Hearth.
    case `internal` = 13
    /// The database can't be reached now: another process has it open, or a write has failed.
    case unavailable = 14
    /// Bytes on disk are damaged.
    case dataLoss = 15
    /// The request has credentials that the server can't take.
    case unauthenticated = 16

    /// The name on the wire, such as `FAILED_PRECONDITION`.
    public var name: String {
      switch self {
      case .cancelled: "CANCELLED"
      case .unknown: "UNKNOWN"
      case .invalidArgument: "INVALID_ARGUMENT"
      case .deadlineExceeded: "DEADLINE_EXCEEDED"
      case .notFound: "NOT_FOUND"
      case .alreadyExists: "ALREADY_EXISTS"
      case .permissionDenied: "PERMISSION_DENIED"
      case .resourceExhausted: "RESOURCE_EXHAUSTED"
      case .failedPrecondition: "FAILED_PRECONDITION"
      case .aborted: "ABORTED"
      case .outOfRange: "OUT_OF_RANGE"
      case .unimplemented: "UNIMPLEMENTED"
      case .internal: "INTERNAL"
      case .unavailable: "UNAVAILABLE"
      case .dataLoss: "DATA_LOSS"
      case .unauthenticated: "UNAUTHENTICATED"
      }
    }
  }

  /// Information beyond an error's text, such as the index that a query lacks.
  public protocol Details: Sendable {}

  /// The kind of failure, which decides what a caller does about it.
  public let code: Code
  /// The text, in the production service's words where it has any (§6.1).
  public let message: String
  /// Information beyond the text; the error has a property of its own for each kind of details.
  public let details: (any Details)?
  /// The error that caused this one, with its own text; `nil` if there is none.
  public let cause: (any Error)?

  /// Creates an error with a code and a text.
  public init(
    _ code: Code, _ message: String, details: (any Details)? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.cause = cause
  }

  public var description: String { "\(code.name): \(message)" }
}

extension DatabaseError {
  package static func invalidArgument(_ message: String) -> DatabaseError {
    DatabaseError(.invalidArgument, message)
  }
}
