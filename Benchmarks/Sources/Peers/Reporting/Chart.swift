import Workbench

/// Pictures of one workload, drawn as SVG.
enum Chart {
  private static let palette = ["#7f8c9a", "#9a86b8", "#5f9ea0", "#b8a25f", "#7aa35a", "#c98bb0"]

  /// Returns the colour of a contestant: a fixed one for Hearth, and one by place for the others.
  static func color(_ place: Int, _ name: String) -> String {
    if name == "Hearth" { return "#d9542b" }
    if name.hasPrefix("Hearth") { return place.isMultiple(of: 2) ? "#e98f5f" : "#f0b38a" }
    return palette[place % palette.count]
  }

  // MARK: Bars

  /// Draws a bar of each contestant's ratio, with the spread of its rounds.
  static func bars(_ result: WorkloadResult) -> String {
    let (width, left, rowHeight) = (560.0, 230.0, 24.0)
    let goal = result.goals.map(\.goal)
      .first { $0.figure == .ratio && $0.baseline == result.contestants.first?.name }?.must
    let most = max(
      result.contestants.map { $0.ratio.p90 }.filter(\.isFinite).max() ?? 1, goal ?? 0)
    let scale = (width - left - 60) / max(most, 1e-9)
    var parts: [String] = []
    for (row, contestant) in result.contestants.enumerated() {
      let y = Double(row) * rowHeight + 4
      let bar = contestant.ratio.median * scale
      let middle = (y + 8).short
      parts.append(
        """
        <text x="\(left - 8)" y="\(y + 12)" text-anchor="end">\
        \(HTMLReport.escaped(contestant.name))</text>\
        <rect x="\(left)" y="\(y)" width="\(max(bar, 1).short)" height="16" rx="2" \
        fill="\(color(row, contestant.name))"/>\
        <path d="M\((left + contestant.ratio.p10 * scale).short) \(middle)H\
        \((left + contestant.ratio.p90 * scale).short)" stroke="#222"/>\
        <text x="\((left + max(bar, contestant.ratio.p90 * scale) + 6).short)" \
        y="\(y + 12)">\(contestant.ratio.median.short)</text>
        """)
    }
    let height = Double(result.contestants.count) * rowHeight + 8
    if let goal {
      parts.append(
        """
        <path d="M\((left + goal * scale).short) 0V\(height)" stroke="#b3261e" \
        stroke-dasharray="3 3"><title>goal \(goal.short)</title></path>
        """)
    }
    return """
      <svg width="\(width)" height="\(height)" role="img" \
      aria-label="ratios of \(result.workload.rawValue)">\(parts.joined())</svg>
      """
  }

  // MARK: Curves

  /// Draws latency by percentile. Both axes are logarithmic, the percentile's by its distance from
  /// 100 %.
  static func curves(_ result: WorkloadResult) -> String {
    let all = result.contestants.flatMap(\.latency.byNines).filter { $0.isFinite && $0 > 0 }
    guard let low = all.min(), let high = all.max(), high > low,
      let count = result.contestants.map(\.latency.byNines.count).max(), count > 4
    else { return "" }
    let frame = Frame(low: low, high: high, marks: count - 1)
    let grid = frame.latencyMarks.map { mark in
      """
      <path d="M\(Frame.left) \(frame.y(mark).short)H\(Frame.width)" stroke="#e4e4e4"/>\
      <text x="\(Frame.left - 5)" y="\((frame.y(mark) + 4).short)" text-anchor="end">\
      \(mark.short)</text>
      """
    }
    let marks = [(3, "50 %"), (10, "90 %"), (20, "99 %"), (30, "99.9 %"), (40, "99.99 %")]
    let percentiles = (marks + [(50, "99.999 %")])
      .filter { $0.0 < count }
      .map { tenths, label in
        """
        <path d="M\(frame.x(tenths).short) 8V\(Frame.bottom)" stroke="#e4e4e4"/>\
        <text x="\(frame.x(tenths).short)" y="\(Frame.bottom + 14)" text-anchor="middle">\
        \(label)</text>
        """
      }
    let lines = result.contestants.enumerated().map { place, contestant in
      let points = contestant.latency.byNines.enumerated()
        .map { "\(frame.x($0).short),\(frame.y($1).short)" }
      return """
        <polyline points="\(points.joined(separator: " "))" fill="none" stroke-width="\
        \(contestant.name == "Hearth" ? 2.5 : 1.5)" stroke="\(color(place, contestant.name))">\
        <title>\(HTMLReport.escaped(contestant.name))</title></polyline>
        """
    }
    return """
      <svg width="\(Frame.width + 20)" height="\(Frame.bottom + 22)" role="img" \
      aria-label="latencies of \(result.workload.rawValue)">\
      \((grid + percentiles + lines).joined())</svg>
      """
  }

  private struct Frame {
    static let left = 56.0
    static let width = 460.0
    static let bottom = 190.0
    let low: Double
    let high: Double
    let marks: Int

    func x(_ tenths: Int) -> Double {
      Frame.left + (Frame.width - Frame.left) * Double(tenths) / Double(marks)
    }

    func y(_ latency: Double) -> Double {
      let share = Logarithm.of(max(latency, low) / low) / Logarithm.of(high / low)
      return Frame.bottom - (Frame.bottom - 10) * share
    }

    /// 1, 2, 5, 10 … within the frame.
    var latencyMarks: [Double] {
      (-4...8).flatMap { power in
        [1.0, 2, 5].map { $0 * Logarithm.tenToThe(power) }
      }
      .filter { $0 >= low && $0 <= high }
    }
  }
}
