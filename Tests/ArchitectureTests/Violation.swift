import Testing

/// A place in the repository that breaks one of its rules.
struct Violation: CustomStringConvertible {
  var path: String
  /// Line, counted from 1; `nil` if the whole file is meant.
  var line: Int?
  var message: String

  var description: String {
    if let line { "\(path):\(line): \(message)" } else { "\(path): \(message)" }
  }
}

/// Records an issue in the running test for every violation.
func expectNone(
  _ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation
) {
  for violation in violations {
    Issue.record("\(violation)", sourceLocation: sourceLocation)
  }
}
