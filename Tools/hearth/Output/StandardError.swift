/// Where messages go that are no answer.
enum StandardError {
  /// Prints `text` and a line end.
  static func print(_ text: String) {
    // Whoever closed it wants no messages; the work goes on without.
    try? FileDescriptor.standardError.write((text + "\n").utf8)
  }
}
