import Testing
import hearth

@Suite struct ProgressTests {
  private func progress(_ fraction: Double?, count: Int = 13_902) -> Progress {
    Progress(count: count, unit: "documents", fraction: fraction, elapsed: .seconds(2))
  }

  @Test func fillsTheLine() {
    let line = progress(0.4).line(title: "import", width: 100)
    #expect(
      line
        == "import  [############------------------]   40%  13,902 documents  6,951/s  0:03 left")
    #expect(
      progress(0.999).line(title: "import", width: 78)
        == "import  [#######################-]   99%  13,902 documents  6,951/s  0:01 left")
  }

  @Test func leavesTheBarOutWhereItIsNarrow() {
    #expect(
      progress(1).line(title: "import", width: 40) == "import  100%  13,902 documents  6,951/s…")
  }

  @Test func showsTheTimeSpentWhereNoWholeIsKnown() {
    #expect(
      progress(nil).line(title: "import", width: 80)
        == "import  13,902 documents  6,951/s  0:02")
  }

  @Test(arguments: [0.0, -1, 2, .nan, .infinity, -.infinity, 1e-300])
  func survivesOddFractions(fraction: Double) {
    for width in -1...90 {
      let line = progress(fraction).line(title: "日本", width: width)
      #expect(line.displayWidth <= max(width, 0))
    }
  }

  @Test func saysThatWorkIsStalled() {
    var progress = self.progress(0.4)
    progress.stalledSeconds = 45
    #expect(
      progress.line(title: "index", width: 80).hasSuffix("13,902 documents  6,951/s  stalled 45 s"))
  }

  /// Work before the line began doesn't affect the speed.
  @Test func saysNothingOfTheSpeedUntilItIsMeasured() {
    var progress = self.progress(0.5)
    progress.isMeasured = true
    #expect(progress.rate == nil && progress.secondsLeft == nil)
    #expect(progress.line(title: "index", width: 80).hasSuffix("   50%  13,902 documents"))
    progress.measuredRate = 500
    progress.measuredSecondsLeft = 28
    #expect(
      progress.line(title: "index", width: 80).hasSuffix("13,902 documents  500/s  0:28 left"))
  }

  @Test func estimatesFromTheSpeedSoFar() {
    #expect(progress(0.25).secondsLeft == 6)
    #expect(progress(0).secondsLeft == nil)
    #expect(progress(nil).secondsLeft == nil)
    #expect(progress(0.25).rate == 6951)
    #expect(Progress(count: 5, unit: "x", fraction: 0, elapsed: .zero).rate == 0)
  }
}

@Suite struct ProgressBarTests {
  /// A terminal that keeps its output, and a clock that is set by hand.
  private final class Screen {
    var time = Duration.zero
    var written: [String] = []

    func bar(width: Int?) -> ProgressBar {
      ProgressBar(
        title: "t", unit: "u", width: width, now: { self.time },
        write: { self.written.append($0) })
    }
  }

  @Test func drawsAtMostTenTimesASecond() {
    let screen = Screen()
    let bar = screen.bar(width: 80)
    for millisecond in 0..<1000 {
      screen.time = .milliseconds(millisecond)
      bar.update(count: millisecond, fraction: Double(millisecond) / 1000)
    }
    #expect(screen.written.count == 10)
    #expect(screen.written.allSatisfy { $0.hasPrefix("\r") && $0.hasSuffix("\u{1b}[K") })
  }

  @Test func leavesACleanLine() {
    let screen = Screen()
    let bar = screen.bar(width: 80)
    bar.finish()
    #expect(screen.written.isEmpty)
    bar.update(count: 1, fraction: 0.1)
    bar.finish()
    bar.finish()
    #expect(screen.written.count == 2)
    #expect(screen.written.last == "\r\u{1b}[K")
  }

  @Test func cleansUpWhenItIsDropped() {
    let screen = Screen()
    do {
      let bar = screen.bar(width: 80)
      bar.update(count: 1, fraction: nil)
    }
    #expect(screen.written.last == "\r\u{1b}[K")
  }

  @Test func writesNothingWithoutATerminal() {
    let screen = Screen()
    let bar = screen.bar(width: nil)
    bar.update(count: 1, fraction: 0.5)
    bar.finish()
    #expect(screen.written.isEmpty)
  }
}
