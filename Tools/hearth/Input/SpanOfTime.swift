import ArgumentParser

/// A duration as a person types it: `10`, `10s`, `500ms`, `2m`, `7d`.
struct SpanOfTime: ExpressibleByArgument, Sendable, CustomStringConvertible {
  let duration: Duration

  init(seconds: Int) { duration = .seconds(seconds) }

  var description: String {
    let seconds = duration / .seconds(1)
    return seconds >= 86_400 && seconds.truncatingRemainder(dividingBy: 86_400) == 0
      ? "\(Int(seconds) / 86_400)d" : "\(seconds)s"
  }

  /// Reads a duration from 0 to a year, in seconds if there is no unit; `nil` for any other text.
  init?(argument: String) {
    self.init(argument, defaultUnit: 1)
  }

  /// Reads a duration that must have a unit; `nil` for any other text.
  init?(unitRequired text: String) {
    self.init(text, defaultUnit: nil)
  }

  private init?(_ text: String, defaultUnit: Double?) {
    guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?) ?(ns|us|µs|μs|ms|s|m|h|d)?/),
      let number = Double(match.1)
    else { return nil }
    let unit: Double? =
      switch match.2 {
      case "ns": 1e-9
      case "us", "µs", "μs": 1e-6
      case "ms": 1e-3
      case "s": 1
      case "m": 60
      case "h": 3600
      case "d": 86_400
      default: defaultUnit
      }
    guard let unit, number * unit <= 31_536_000 else { return nil }
    duration = .seconds(number * unit)
  }
}
