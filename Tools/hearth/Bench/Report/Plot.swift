/// A picture of lines over two axes, as SVG.
struct Plot {
  struct Line {
    let name: String
    let points: [(x: Double, y: Double)]
  }

  /// A scale that places values between the ends of a picture.
  struct Axis {
    let low: Double
    let high: Double
    let isLogarithmic: Bool
    let marks: [(value: Double, label: String)]

    /// Returns the position of a value: 0 at the low end, 1 at the high end.
    fileprivate func share(_ value: Double) -> Double {
      guard high > low else { return 0.5 }
      guard isLogarithmic else { return (value - low) / (high - low) }
      return NaturalLogarithm.of(max(value, low) / low) / NaturalLogarithm.of(high / low)
    }
  }

  let title: String
  let x: Axis
  let y: Axis
  let lines: [Line]

  private static let (left, right, top, bottom) = (78.0, 468.0, 12.0, 210.0)
  private static let colors = [
    "#d9542b", "#2b7bb9", "#5a9e4b", "#8a63b0", "#b8912b", "#3a9c99", "#c0578a", "#7f8c9a",
  ]

  private static func color(_ index: Int) -> String { colors[index % colors.count] }

  /// Returns a square in the colour of a line.
  static func swatch(_ index: Int) -> String { "<i style=\"background:\(color(index))\"></i>" }

  var svg: String {
    """
    <figure><figcaption>\(title.escapedForHTML)\(legend)</figcaption>\
    <svg viewBox="0 0 \(short(Plot.right + 30)) \(short(Plot.bottom + 24))" role="img" \
    aria-label="\(title.escapedForHTML)">\(grid)\(curves)</svg></figure>
    """
  }

  /// Names of the lines if they are few; the names of many are in a table.
  private var legend: String {
    guard (2...3).contains(lines.count) else { return "" }
    return lines.enumerated().map { "&emsp;\(Plot.swatch($0))\($1.name.escapedForHTML)" }.joined()
  }

  private var grid: String {
    let rows = y.marks.map { mark in
      let place = Plot.bottom - y.share(mark.value) * (Plot.bottom - Plot.top)
      return """
        <path class="g" d="M\(short(Plot.left)) \(short(place))H\(short(Plot.right))"/>\
        <text x="\(short(Plot.left - 6))" y="\(short(place + 4))" text-anchor="end">\
        \(mark.label)</text>
        """
    }
    let columns = x.marks.map { mark in
      let place = Plot.left + x.share(mark.value) * (Plot.right - Plot.left)
      return """
        <path class="g" d="M\(short(place)) \(short(Plot.top))V\(short(Plot.bottom))"/>\
        <text x="\(short(place))" y="\(short(Plot.bottom + 16))" text-anchor="middle">\
        \(mark.label)</text>
        """
    }
    return (rows + columns).joined()
  }

  private var curves: String {
    lines.enumerated().map { index, line in
      let points = line.points.map { point in
        let across = Plot.left + x.share(point.x) * (Plot.right - Plot.left)
        let up = Plot.bottom - y.share(point.y) * (Plot.bottom - Plot.top)
        return "\(short(across)),\(short(up))"
      }
      let dots = points.count > 12 ? [] : points.map { $0.split(separator: ",") }
      return """
        <polyline fill="none" stroke="\(Plot.color(index))" stroke-width="2" \
        points="\(points.joined(separator: " "))"><title>\(line.name.escapedForHTML)</title>\
        </polyline>\(dots.map { """
          <circle cx="\($0[0])" cy="\($0[1])" r="3" fill="\(Plot.color(index))"/>
          """ }.joined())
        """
    }.joined()
  }

  private func short(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}

extension Plot.Axis {
  /// Creates an axis for latencies in nanoseconds, marked at 1, 2, 5, 10.
  init(latencies: [Double]) {
    let positive = latencies.filter { $0 > 0 }
    let (least, most) = (positive.min() ?? 1, positive.max() ?? 10)
    var borders: [Double] = []
    var decade = 1.0
    while decade < 1e13 {
      borders += [decade, 2 * decade, 5 * decade]
      decade *= 10
    }
    let low = borders.last { $0 <= least } ?? 1
    let high = borders.first { $0 > most } ?? 1e13
    let within = borders.filter { $0 >= low && $0 <= high }
    // Every mark if they are few, only the decades if they are many.
    let decades = stride(from: 0, to: borders.count, by: 3).map { borders[$0] }
    let shown = within.count <= 9 ? within : decades.filter { $0 >= low && $0 <= high }
    self.init(
      low: low, high: high, isLogarithmic: true,
      marks: shown.map { ($0, Figure.duration(nanoseconds: $0)) })
  }

  /// Creates an axis from 0 to the greatest value, marked at round numbers.
  init(upTo most: Double, label: (Double) -> String) {
    let most = max(most, 1e-9)
    var step = 1e-9
    let factors = [2.0, 2.5, 2.0]
    var index = 0
    while step * 5 < most {
      step *= factors[index % 3]
      index += 1
    }
    let count = Int((most / step).rounded(.up))
    self.init(
      low: 0, high: step * Double(count), isLogarithmic: false,
      marks: (0...count).map { (step * Double($0), label(step * Double($0))) })
  }

  /// Creates an axis for percentiles by their distance from 100 %, in the steps of a latency curve.
  init(percentilesOf stepCount: Int) {
    let known = [
      (0.0, "0 %"), (3.0103, "50 %"), (10, "90 %"), (20, "99 %"), (30, "99.9 %"), (40, "99.99 %"),
      (50, "99.999 %"),
    ]
    let high = Double(max(stepCount - 1, 1))
    self.init(
      low: 0, high: high, isLogarithmic: false,
      marks: known.filter { $0.0 <= high }.map { ($0.0, $0.1) })
  }
}
