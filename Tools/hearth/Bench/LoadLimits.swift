/// How long a load lasts.
struct LoadLimits: Sendable {
  /// The parts of a run, whose differences tell how far its figures can be trusted.
  static let roundCount = 10

  let nanoseconds: Int64?
  let operationCount: Int?

  init(duration: Duration? = nil, operationCount: Int? = nil) {
    nanoseconds = duration?.wholeNanoseconds
    self.operationCount = operationCount
  }

  /// Whether the operation is one of those that are asked for, and there is time for it.
  ///
  /// - Parameter elapsed: nanoseconds since the load began.
  func allow(operation number: Int, after elapsed: Int64) -> Bool {
    if let operationCount, number >= operationCount { return false }
    if let nanoseconds, elapsed >= nanoseconds { return false }
    return true
  }

  /// The part of the run that an operation belongs to.
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
