import ArgumentParser

/// A rate in operations per second, as a person types it: `5000/s`, `5000`, `0.5/s`.
struct ArrivalRate: ExpressibleByArgument, Sendable {
  let perSecond: Double

  /// Reads a rate of up to a million per second; `nil` for any other text.
  init?(argument: String) {
    guard let match = argument.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)(?:\/s)?/),
      let number = Double(match.1), number >= 0.001, number <= 1e6
    else { return nil }
    perSecond = number
  }
}
