import Testing

/// A place in the repository that breaks one of its rules.
struct Violation: CustomStringConvertible {
  var path: String
  /// Counted from 1; nil where the file as a whole is meant.
  var line: Int?
  var message: String

  var description: String {
    if let line { "\(path):\(line): \(message)" } else { "\(path): \(message)" }
  }
}

/// Fails the running test once for every violation.
func expectNone(
  _ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation
) {
  for violation in violations {
    Issue.record("\(violation)", sourceLocation: sourceLocation)
  }
}
