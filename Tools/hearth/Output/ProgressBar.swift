/// A line on a terminal that shows progress, drawn at most ten times a second. Without a terminal
/// there is none.
///
/// Create it before the work, call `update` as often as wanted, and call `finish` on every way out.
/// The line is then gone, and later output begins on a clean line.
package final class ProgressBar {
  private static let interval = Duration.milliseconds(100)

  private let title: String
  private let unit: String
  private let width: Int?
  private let now: () -> Duration
  private let write: (String) -> Void
  private let start: Duration
  private var lastDrawn: Duration?

  /// Creates a bar on standard error.
  package convenience init(title: String, unit: String) {
    let clock = ContinuousClock()
    let start = clock.now
    let terminal = FileDescriptor.standardError
    self.init(
      title: title, unit: unit,
      width: terminal.isTerminal ? terminal.terminalWidth ?? 80 : nil,
      now: { start.duration(to: clock.now) },
      write: { text in
        // A failure to show progress must not stop the work.
        try? terminal.write(text.utf8)
      })
  }

  /// - Parameters:
  ///   - width: the number of the terminal's columns; `nil` if there is no terminal.
  ///   - now: a clock: the time since any fixed moment.
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

  /// Shows progress.
  ///
  /// - Parameters:
  ///   - count: the work done so far, in units.
  ///   - fraction: the part that is done, 0...1; `nil` if the whole is not known.
  package func update(count: Int, fraction: Double?) {
    draw { Progress(count: count, unit: unit, fraction: fraction, elapsed: $0) }
  }

  /// Shows the progress of work that measures its own speed.
  ///
  /// - Parameters:
  ///   - count: the work done so far, including the work before this bar began.
  ///   - rate: units per second, with `secondsLeft` at that rate; `nil` if not known yet.
  ///   - stalledSeconds: the time for which nothing has moved, if it is too long.
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

  /// Removes the line.
  package func finish() {
    guard lastDrawn != nil else { return }
    lastDrawn = nil
    write("\r\u{1b}[K")
  }
}
