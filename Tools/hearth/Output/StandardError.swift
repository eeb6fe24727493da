/// The output for messages that are no answer.
enum StandardError {
  /// Prints `text` and a line end.
  static func print(_ text: String) {
    // A caller that closed it wants no messages; the work continues without them.
    try? FileDescriptor.standardError.write((text + "\n").utf8)
  }
}
