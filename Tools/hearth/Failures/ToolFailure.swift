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

  /// Returns the failure of an input that can't be used.
  static func badInput(_ message: String) -> ToolFailure {
    ToolFailure(.badInput, .invalidArgument, message)
  }

  /// Creates the failure of a file that can't be written.
  init(writing path: String, _ failure: FileDescriptor.Failure) {
    self.init(
      failure.isForbidden ? .permission : .inputOutput,
      failure.isForbidden ? .permissionDenied : .unknown, "\(path) can't be written: \(failure).")
  }

  /// Returns the failure of a thing that doesn't exist.
  static func notFound(_ message: String) -> ToolFailure {
    ToolFailure(.refused, .notFound, message)
  }

  /// Returns what `read` makes of a text that an option gives.
  ///
  /// - Parameter option: the option, such as `--where`.
  /// - Throws: ``ToolFailure``, which names the option, for an error of `read`.
  static func reading<Result>(
    _ option: String, _ read: () throws -> Result
  ) throws(ToolFailure) -> Result {
    do {
      return try read()
    } catch {
      let message = (error as? DatabaseError)?.message ?? "\(error)"
      throw .badInput("\(option) is not understood:\n\(message)")
    }
  }
}

extension String {
  /// The text with a full stop at its end.
  var sentence: String { last == "." ? self : self + "." }
  /// The text without the full stop at its end.
  var withoutFullStop: String { last == "." ? String(dropLast()) : self }
}
