import Hearth

/// A failed command's reason, if no other error type covers it.
struct ToolFailure: Error {
  let status: ExitStatus
  /// Code of the failure, for a program that reads the error as JSON.
  let code: DatabaseError.Code
  let message: String

  init(_ status: ExitStatus, _ code: DatabaseError.Code, _ message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  /// Creates the failure of a text given by an option, such as `--where`.
  init(_ option: String, _ error: any Error) {
    let message = (error as? DatabaseError)?.message ?? "\(error)"
    self.init(.badInput, .invalidArgument, "\(option) is not understood:\n\(message)")
  }
}

extension String {
  /// The text with a full stop at its end.
  var sentence: String { last == "." ? self : self + "." }
  /// The text without the full stop at its end.
  var withoutFullStop: String { last == "." ? String(dropLast()) : self }
}
