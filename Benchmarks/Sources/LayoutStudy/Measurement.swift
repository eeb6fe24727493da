import Workbench

/// Figures of several contestants, taken in alternating slices over the same operands.
///
/// A round runs one slice of every contestant, and each round begins with another one. A
/// contestant's ratio is the median, over the rounds, of its figure divided by the baseline's of
/// the same round.
struct Measurement {
  let title: String
  let unit: String
  private let names: [String]
  private var rounds: [[Double]] = []

  /// - Parameter names: the contestants, the baseline first.
  init(_ title: String, unit: String, names: [String]) {
    self.title = title
    self.unit = unit
    self.names = names
  }

  mutating func addRound(_ figures: [Double]) {
    rounds.append(figures)
  }

  /// Returns the order of the contestants in a round.
  func order(ofRound round: Int) -> [Int] {
    names.indices.map { ($0 + round) % names.count }
  }

  func summary(of contestant: Int) -> Summary {
    Summary(
      name: names[contestant],
      figure: Quartiles(rounds.map { $0[contestant] }),
      ratio: Quartiles(rounds.map { $0[contestant] / $0[0] }),
      ratioOfSums: rounds.reduce(0) { $0 + $1[contestant] } / rounds.reduce(0) { $0 + $1[0] })
  }

  /// A table in Markdown.
  var table: String {
    var lines = [
      "**\(title)** (\(rounds.count) rounds)", "",
      "| contestant | \(unit) | ratio | quartiles | of sums |", "|---|---:|---:|---:|---:|",
    ]
    for contestant in names.indices {
      let summary = summary(of: contestant)
      lines.append(
        "| \(summary.name) | \(summary.figure.median.short) | \(summary.ratio.median.short)"
          + " | \(summary.ratio.lower.short)-\(summary.ratio.upper.short)"
          + " | \(summary.ratioOfSums.short) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  struct Summary {
    let name: String
    let figure: Quartiles
    let ratio: Quartiles
    /// Ratio of the figures of all rounds together. It is the relevant one if work comes in lumps,
    /// as in writes.
    let ratioOfSums: Double
  }
}

struct Quartiles {
  let lower: Double
  let median: Double
  let upper: Double

  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    func at(_ share: Double) -> Double {
      sorted.isEmpty ? .nan : sorted[Int((Double(sorted.count - 1) * share).rounded())]
    }
    lower = at(0.25)
    median = at(0.5)
    upper = at(0.75)
  }
}
