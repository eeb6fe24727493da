import Hearth

/// A question whether something that can't be undone may be done.
enum Confirmation {
  /// Asks on a terminal.
  ///
  /// - Parameters:
  ///   - question: a whole question.
  ///   - deed: the end of "the command", for a run without a terminal.
  /// - Throws: ``ToolFailure`` for any answer but yes, and without a terminal.
  static func require(_ question: String, doing deed: String) throws {
    guard isPossible else {
      throw ToolFailure(
        .usage, .failedPrecondition,
        "the command \(deed), and there is no terminal to ask on: --yes agrees to it.")
    }
    guard try ask(question) else {
      throw ToolFailure(.refused, .cancelled, "nothing was changed.")
    }
  }

  /// Whether there is a terminal to ask on.
  static var isPossible: Bool {
    FileDescriptor.standardInput.isTerminal && FileDescriptor.standardError.isTerminal
  }

  /// Asks on the terminal. Only a yes is one.
  static func ask(_ question: String) throws -> Bool {
    try FileDescriptor.standardError.write("\(question) [y/N] ".utf8)
    let answer = try FileDescriptor.standardInput.read(atMost: 100)
    return [UInt8(ascii: "y"), UInt8(ascii: "Y")].contains(answer.first)
  }
}
