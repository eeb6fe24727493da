/// How far a long piece of work is.
package struct Progress: Sendable {
  /// What is done so far, in `unit`s.
  package var count: Int
  /// Such as `documents`.
  package let unit: String
  /// The part that is done, 0...1; `nil` where the whole is not known.
  package var fraction: Double?
  package var elapsed: Duration
  /// Whether somebody else measures the speed: some of `count` may have been done before this
  /// began, so the time since then tells nothing.
  package var isMeasured = false
  /// Units a second of late, and the seconds to go at that, where somebody measures them and can
  /// tell yet.
  package var measuredRate: Double?
  package var measuredSecondsLeft: Double?
  /// For how long nothing has moved, where that is too long.
  package var stalledSeconds: Double?

  package init(count: Int, unit: String, fraction: Double?, elapsed: Duration) {
    self.count = count
    self.unit = unit
    self.fraction = fraction
    self.elapsed = elapsed
  }

  /// Units a second: as they are measured, or since the beginning; `nil` where nothing tells.
  package var rate: Double? {
    guard !isMeasured else { return measuredRate }
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(count) / seconds : 0
  }

  /// Seconds to go at the speed so far; `nil` where nothing tells.
  package var secondsLeft: Double? {
    guard !isMeasured else { return measuredSecondsLeft }
    guard let fraction, fraction > 0 else { return nil }
    return elapsed / .seconds(1) * (1 - min(fraction, 1)) / fraction
  }
}

extension Progress {
  /// One line of at most `width` columns:
  ///
  ///     import  [#########-------------]  41%  13,902 documents  48,210/s  0:01 left
  ///
  /// Work that is stalled says so in place of the time left. Without a known whole there is no bar,
  /// and the time spent in place of the time left. The bar shrinks first where columns are scarce.
  package func line(title: String, width: Int) -> String {
    let speed = rate.map { "  \(Figure.rate($0))" } ?? ""
    let done = "\(Figure.count(count)) \(unit)\(speed)"
    guard let fraction else {
      return title.leading("  \(done)  \(Figure.clock(seconds: elapsed / .seconds(1)))", in: width)
    }
    let part = min(max(fraction.isFinite ? fraction : 0, 0), 1)
    // 100% is said when all is done.
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
