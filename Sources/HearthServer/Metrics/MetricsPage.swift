/// Metrics in Prometheus' text form, version 0.0.4.
package struct MetricsPage {
  enum Kind: String {
    case counter, gauge, histogram
  }

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  package private(set) var text = ""
  private var lastName = ""

  package init() {}

  /// Returns a name in the characters that Prometheus takes.
  static func name(_ label: String) -> String {
    String(
      label.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ":": Character(scalar)
        default: "_"
        }
      })
  }

  /// Adds a value. Those of one name follow each other.
  mutating func add(
    _ name: String, _ kind: Kind, _ value: Double, _ labels: MetricLabels = MetricLabels()
  ) {
    begin(name, kind)
    line(name, labels, value)
  }

  /// Adds the counts of a distribution's buckets, each with those below it.
  mutating func add(
    _ name: String, _ labels: MetricLabels, _ values: HistogramSeries.Distribution
  ) {
    begin(name, .histogram)
    var count: UInt64 = 0
    for (index, bucket) in values.counts.enumerated() {
      count += bucket
      let bound = index < values.bounds.count ? MetricsPage.number(values.bounds[index]) : "+Inf"
      line("\(name)_bucket", labels.adding("le", bound), Double(count))
    }
    line("\(name)_sum", labels, values.sum)
    line("\(name)_count", labels, Double(count))
  }

  private mutating func begin(_ name: String, _ kind: Kind) {
    guard name != lastName else { return }
    lastName = name
    text += "# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func line(_ name: String, _ labels: MetricLabels, _ value: Double) {
    text += "\(name)\(labels.text) \(MetricsPage.number(value))\n"
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? "\(value)"
  }
}

/// The labels of a series.
struct MetricLabels: Hashable {
  private let pairs: [String]

  init(_ dimensions: [(String, String)] = []) {
    pairs = dimensions.map { "\(MetricsPage.name($0))=\"\($1.escapedLabel)\"" }.sorted()
  }

  private init(pairs: [String]) {
    self.pairs = pairs
  }

  /// The labels as the page has them; empty for none.
  var text: String { pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}" }

  func adding(_ name: String, _ value: String) -> MetricLabels {
    MetricLabels(pairs: pairs + ["\(name)=\"\(value)\""])
  }
}

extension String {
  fileprivate var escapedLabel: String {
    var text = ""
    for character in unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
