/// The duration or the number of operations of a load.
struct LoadLimits: Sendable {
  /// Number of parts of a run. Their differences show how reliable its figures are.
  static let roundCount = 10

  let nanoseconds: Int64?
  let operationCount: Int?

  init(duration: Duration? = nil, operationCount: Int? = nil) {
    nanoseconds = duration?.wholeNanoseconds
    self.operationCount = operationCount
  }

  /// Whether the load includes the operation and there is time for it.
  ///
  /// - Parameter elapsed: nanoseconds since the load began.
  func allow(operation number: Int, after elapsed: Int64) -> Bool {
    if let operationCount, number >= operationCount { return false }
    if let nanoseconds, elapsed >= nanoseconds { return false }
    return true
  }

  /// Returns the number of the part of the run that an operation belongs to.
  func round(ofOperation number: Int, after elapsed: Int64) -> Int {
    let count = LoadLimits.roundCount
    let part =
      if let operationCount {
        Double(number) / Double(operationCount)
      } else if let nanoseconds {
        Double(elapsed) / Double(nanoseconds)
      } else {
        0.0
      }
    return min(max(Int(part * Double(count)), 0), count - 1)
  }
}

extension Duration {
  /// Nanoseconds, without a fraction.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }
}
