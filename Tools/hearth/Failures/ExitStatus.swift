package import Hearth

/// The exit statuses of the tool: small numbers for answers, otherwise those of `sysexits.h`.
///
/// | Status | Meaning |
/// |---|---|
/// | 0 | done |
/// | 1 | refused: an index is missing (the hint is printed), or a document doesn't exist |
/// | 2 | differences (`verify`, `index diff`), or data left out or in doubt (`import`, `salvage`) |
/// | 3 | a measurement of `bench` breaks an assertion, or a case of `rules test` fails |
/// | 64 | the command line is wrong |
/// | 65 | the input, or a value or query in it, is wrong |
/// | 66 | the input file or the database doesn't exist |
/// | 69 | another process has the database open and doesn't answer for it |
/// | 70 | a fault in Hearth itself |
/// | 74 | reading or writing failed, or stored bytes are damaged |
/// | 75 | not finished in time, or in conflict with another write: try again |
/// | 77 | no permission |
/// | 78 | the application that has the database open takes no writes from the tool |
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0
  case refused = 1
  case differences = 2
  case assertion = 3
  case usage = 64
  case badInput = 65
  case missingInput = 66
  case inUse = 69
  case fault = 70
  case inputOutput = 74
  case tryAgain = 75
  case permission = 77
  case writesRefused = 78

  /// Creates the status for an error of the database, except for an error of opening it.
  package init(_ error: DatabaseError) {
    guard !(error.details is FailedBuild) else {
      self = .refused
      return
    }
    guard !(error.details is RefusedToolWrite) else {
      self = .writesRefused
      return
    }
    self =
      switch error.code {
      case .failedPrecondition, .notFound, .alreadyExists: .refused
      case .invalidArgument, .outOfRange, .unimplemented: .badInput
      // An error of the store has a cause: a full disk is no fault of the input.
      case .resourceExhausted: error.cause == nil ? .refused : .inputOutput
      case .unavailable, .dataLoss: .inputOutput
      case .internal, .unknown: .fault
      case .deadlineExceeded, .aborted, .cancelled: .tryAgain
      case .permissionDenied, .unauthenticated: .permission
      }
  }

  /// Creates the status for an error of an input.
  package init(_ kind: InputError.Kind) {
    self =
      switch kind {
      case .malformed, .damaged: .badInput
      case .missing: .missingInput
      case .forbidden: .permission
      case .unreadable: .inputOutput
      }
  }

  /// One line, for the help text.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .refused: "refused: an index is missing (the hint is printed), or a document doesn't exist"
    case .differences:
      "differences (verify, index diff), or data left out or in doubt (import, salvage)"
    case .assertion: "a measurement of bench breaks an assertion, or a case of rules test fails"
    case .usage: "the command line is wrong"
    case .badInput: "the input, or a value or query in it, is wrong"
    case .missingInput: "the input file or the database doesn't exist"
    case .inUse: "another process has the database open and doesn't answer for it"
    case .fault: "a fault in Hearth itself"
    case .inputOutput: "reading or writing failed, or stored bytes are damaged"
    case .tryAgain: "not finished in time, or in conflict with another write: try again"
    case .permission: "no permission"
    case .writesRefused: "the application that has the database open takes no writes from the tool"
    }
  }

  /// All statuses with their meanings, one per line.
  package static var helpText: String {
    allCases.map { status in
      let number = String(status.rawValue)
      return String(repeating: " ", count: 4 - number.count) + "\(number)  \(status.meaning)"
    }.joined(separator: "\n")
  }
}
