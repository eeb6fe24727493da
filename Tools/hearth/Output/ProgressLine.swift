/// The progress of a long piece of work.
package struct Progress: Sendable {
  /// Work done so far, in `unit`s.
  package var count: Int
  /// Name of a unit, such as `documents`.
  package let unit: String
  /// The part that is done, 0...1; `nil` if the whole is not known.
  package var fraction: Double?
  package var elapsed: Duration
  /// Whether the work measures its own speed. Part of `count` may have been done before this began,
  /// so the time since then doesn't give the speed.
  package var isMeasured = false
  /// Current units per second and the remaining seconds at that rate, measured by the work; `nil`
  /// if not known yet.
  package var measuredRate: Double?
  package var measuredSecondsLeft: Double?
  /// Seconds for which nothing has moved, if they are too many.
  package var stalledSeconds: Double?

  package init(count: Int, unit: String, fraction: Double?, elapsed: Duration) {
    self.count = count
    self.unit = unit
    self.fraction = fraction
    self.elapsed = elapsed
  }

  /// Units per second, as measured or since the beginning; `nil` if not known.
  package var rate: Double? {
    guard !isMeasured else { return measuredRate }
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(count) / seconds : 0
  }

  /// Remaining seconds at the speed so far; `nil` if not known.
  package var secondsLeft: Double? {
    guard !isMeasured else { return measuredSecondsLeft }
    guard let fraction, fraction > 0 else { return nil }
    return elapsed / .seconds(1) * (1 - min(fraction, 1)) / fraction
  }
}

extension Progress {
  /// Returns one line of at most `width` columns:
  ///
  ///     import  [#########-------------]  41%  13,902 documents  48,210/s  0:01 left
  ///
  /// For stalled work the line says so in place of the remaining time. If the whole is not known,
  /// there is no bar, and the elapsed time is in place of the remaining time. If columns are
  /// scarce, the bar shrinks first.
  package func line(title: String, width: Int) -> String {
    let speed = rate.map { "  \(Figure.rate($0))" } ?? ""
    let done = "\(Figure.count(count)) \(unit)\(speed)"
    guard let fraction else {
      return title.leading("  \(done)  \(Figure.clock(seconds: elapsed / .seconds(1)))", in: width)
    }
    let part = min(max(fraction.isFinite ? fraction : 0, 0), 1)
    // 100% appears only when all is done.
    let percent = Figure.percent(part)
    let padding = String(repeating: " ", count: 4 - percent.count)
    var rest = "\(padding)\(percent)  \(done)"
    if let stalledSeconds {
      rest += "  \(Figure.stall(seconds: stalledSeconds))"
    } else if let secondsLeft {
      rest += "  \(Figure.clock(seconds: secondsLeft)) left"
    }
    let barWidth = min(30, width - title.displayWidth - rest.displayWidth - 6)
    guard barWidth >= 5 else { return title.leading("  " + rest, in: width) }
    let filled = Int(Double(barWidth) * part)
    let bar =
      String(repeating: "#", count: filled) + String(repeating: "-", count: barWidth - filled)
    return "\(title)  [\(bar)]  \(rest)"
  }
}

extension String {
  fileprivate func leading(_ rest: String, in width: Int) -> String {
    (self + rest).cut(toWidth: width)
  }
}
