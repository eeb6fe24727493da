/// Draws progress in one line of a terminal, at most ten times a second; draws nothing elsewhere.
///
/// Create it before the work, call `update` as often as wanted and `finish` on every way out: the
/// line is then gone, and what is printed next begins on a clean one.
package final class ProgressBar {
  private static let interval = Duration.milliseconds(100)

  private let title: String
  private let unit: String
  private let width: Int?
  private let now: () -> Duration
  private let write: (String) -> Void
  private let start: Duration
  private var lastDrawn: Duration?

  /// A bar on standard error.
  package convenience init(title: String, unit: String) {
    let clock = ContinuousClock()
    let start = clock.now
    let terminal = FileDescriptor.standardError
    self.init(
      title: title, unit: unit,
      width: terminal.isTerminal ? terminal.terminalWidth ?? 80 : nil,
      now: { start.duration(to: clock.now) },
      write: { text in
        // Work must not stop because its progress can't be shown.
        try? terminal.write(text.utf8)
      })
  }

  /// - Parameters:
  ///   - width: the terminal's columns; `nil` where there is no terminal.
  ///   - now: the time since any fixed moment.
  package init(
    title: String, unit: String, width: Int?, now: @escaping () -> Duration,
    write: @escaping (String) -> Void
  ) {
    self.title = title
    self.unit = unit
    self.width = width
    self.now = now
    self.write = write
    start = now()
  }

  deinit { finish() }

  /// - Parameters:
  ///   - count: what is done so far, in units.
  ///   - fraction: the part that is done, 0...1; `nil` where the whole is not known.
  package func update(count: Int, fraction: Double?) {
    draw { Progress(count: count, unit: unit, fraction: fraction, elapsed: $0) }
  }

  /// The same for work whose speed is measured where it is done.
  ///
  /// - Parameters:
  ///   - count: what is done, before this bar began too.
  ///   - rate: units a second, and `secondsLeft` at it; `nil` where nothing tells yet.
  ///   - stalledSeconds: for how long nothing has moved, where that is too long.
  package func update(
    count: Int, fraction: Double, rate: Double?, secondsLeft: Double?, stalledSeconds: Double?
  ) {
    draw { elapsed in
      var progress = Progress(count: count, unit: unit, fraction: fraction, elapsed: elapsed)
      progress.isMeasured = true
      progress.measuredRate = rate
      progress.measuredSecondsLeft = secondsLeft
      progress.stalledSeconds = stalledSeconds
      return progress
    }
  }

  private func draw(_ progress: (_ elapsed: Duration) -> Progress) {
    guard let width else { return }
    let time = now()
    if let lastDrawn, time - lastDrawn < ProgressBar.interval { return }
    lastDrawn = time
    // A line that fills the last column would wrap on some terminals.
    write("\r" + progress(time - start).line(title: title, width: width - 1) + "\u{1b}[K")
  }

  /// Takes the line away.
  package func finish() {
    guard lastDrawn != nil else { return }
    lastDrawn = nil
    write("\r\u{1b}[K")
  }
}
