import ArgumentParser

/// Operations a second as a person types them: `5000/s`, `5000`, `0.5/s`.
struct ArrivalRate: ExpressibleByArgument, Sendable {
  let perSecond: Double

  /// `nil` for what is no rate up to a million a second.
  init?(argument: String) {
    guard let match = argument.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)(?:\/s)?/),
      let number = Double(match.1), number >= 0.001, number <= 1e6
    else { return nil }
    perSecond = number
  }
}
