import HearthAdminSocket
import HearthFirestoreJSON
import Hearth

/// An error as the tool reports it: for a person, or with `--json` for a program.
struct ErrorReport {
  let status: ExitStatus
  private let text: String
  private let json: JSONLine

  /// Creates a report; `nil` for the errors of ArgumentParser, which has its own words for them.
  init?(_ error: any Error) {
    switch error {
    case let error as Refusal:
      self.init(.refused, text: error.text, json: error.json)
    case let error as ToolFailure:
      self.init(error.status, error.code, error.message)
    case let error as DatabaseError:
      self.init(
        error.details is LostApplication ? .tryAgain : ExitStatus(error),
        text: ErrorReport.text(of: error),
        json: JSONLine(error.code, error.message))
    case let error as InputError:
      let code: DatabaseError.Code =
        switch error.kind {
        case .malformed, .damaged: .invalidArgument
        case .missing, .unreadable: .notFound
        case .forbidden: .permissionDenied
        }
      self.init(ExitStatus(error.kind), code, error.description)
    case let error as FileDescriptor.Failure where error.isBrokenPipe:
      // The reader of the pipe has seen enough.
      self.init(.done, text: "", json: JSONLine())
    case let error as FileDescriptor.Failure:
      self.init(.inputOutput, .unknown, "the output can't be written: \(error).")
    default: return nil
    }
  }

  private init(_ status: ExitStatus, text: String, json: JSONLine) {
    self.status = status
    self.text = text
    self.json = json
  }

  private init(_ status: ExitStatus, _ code: DatabaseError.Code, _ message: String) {
    self.init(status, text: message, json: JSONLine(code, message))
  }

  /// Returns the text of an error. Production's message for unreadable JSON shows the place but
  /// doesn't name it; the cause does.
  private static func text(of error: DatabaseError) -> String {
    guard error.message.hasSuffix("^") else { return error.message.sentence }
    return error.message + (error.cause.map { "\n\($0)" } ?? "")
  }

  func print(json isJSON: Bool) {
    guard status != .done else { return }
    if isJSON {
      StandardError.print(json.text)
    } else {
      let style = OutputStyle.standardError().text
      StandardError.print(style.bold(style.red("Error:")) + " " + text)
    }
  }
}

extension JSONLine {
  init(_ code: DatabaseError.Code, _ message: String) {
    self = ["code": code.name, "message": message]
  }
}
