/// Why an operation was refused or failed, in Firestore's terms.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
  /// The canonical status codes that Firestore answers with, with their gRPC numbers.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// The task was cancelled before the operation was done.
    case cancelled = 1
    /// Nothing is known of the cause.
    case unknown = 2
    /// The request can never work as it is: fix the request.
    case invalidArgument = 3
    /// The operation was not done in the time given for it.
    case deadlineExceeded = 4
    /// What is asked for, or has to be there, is not.
    case notFound = 5
    /// What was to be created is there.
    case alreadyExists = 6
    /// The files may not be read or written.
    case permissionDenied = 7
    /// There is no room for it, on the disk or within a limit.
    case resourceExhausted = 8
    /// The state of the database doesn't allow it: a missing index, a lost precondition.
    case failedPrecondition = 9
    /// Others were in the way each time it was tried: try again later.
    case aborted = 10
    /// A position lies outside of what there is.
    case outOfRange = 11
    /// This release does not do it.
    case unimplemented = 12
    /// A mistake in Hearth.
    case `internal` = 13
    /// The database can't be reached now: another process has it, or a write has failed.
    case unavailable = 14
    /// Bytes on disk are damaged.
    case dataLoss = 15

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
      }
    }
  }

  /// What an error knows beyond its text, such as the index that a query lacks.
  public protocol Details: Sendable {}

  /// What to do about it depends on this.
  public let code: Code
  /// The text as the production service words it, where it has one (§6.1).
  public let message: String
  /// What is known beyond the text; the error has a property of its own for each kind of them.
  public let details: (any Details)?
  /// The error below this one, in its own words.
  public let cause: (any Error)?

  /// An error with its code and text.
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
