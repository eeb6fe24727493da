import ArgumentParser

/// A limit that a run must keep: `p99<5ms`, `page.entries<=20`, `rate>1000`.
struct Assertion: Sendable {
  /// A measured figure.
  private enum Measure: Equatable {
    case percentile(Double)
    case named(Name)

    enum Name: String {
      case max, mean
      case rate, errors, unserved
      /// The most of them that one run read.
      case results, entries, documents, seeks
    }

    var isLatency: Bool {
      switch self {
      case .percentile, .named(.max), .named(.mean): true
      default: false
      }
    }
  }

  private enum Comparison: String, CaseIterable {
    case atMost = "<=", atLeast = ">=", equal = "==", below = "<", above = ">"

    func holds(_ measured: Double, _ asked: Double) -> Bool {
      switch self {
      case .atMost: measured <= asked
      case .atLeast: measured >= asked
      case .equal: measured == asked
      case .below: measured < asked
      case .above: measured > asked
      }
    }
  }

  /// The assertion as it was typed.
  let text: String
  /// Name of the query that is judged; `nil` for all of them.
  let name: String?
  private let figure: Measure
  private let comparison: Comparison
  private let asked: Double

  /// - Throws: `ValidationError` for any other text.
  init(_ text: String) throws {
    let pattern = /\s*(?:([A-Za-z][A-Za-z0-9_-]*)\.)?(p[0-9.]+|[a-z]+)\s*(<=|>=|==|<|>)\s*(\S+)\s*/
    guard let match = text.wholeMatch(of: pattern),
      let comparison = Comparison(rawValue: String(match.3))
    else {
      throw ValidationError(
        "--assert takes a figure and what it must be, such as p99<5ms or page.entries<=20.")
    }
    guard let figure = Assertion.figure(String(match.2)) else {
      throw ValidationError(
        "--assert knows no figure \(match.2): it knows p50, p99, p99.9 and other percentiles, "
          + "max, mean, rate, results, entries, documents, seeks, errors and unserved.")
    }
    let limit = String(match.4)
    let asked = figure.isLatency ? Assertion.nanoseconds(limit) : Assertion.number(limit, figure)
    guard let asked else {
      throw ValidationError(
        figure.isLatency
          ? "--assert \(match.2) takes a time with its unit: ns, us, ms or s, such as 5ms."
          : "--assert \(match.2) takes a number, such as 20.")
    }
    self.text = text
    name = match.1.map(String.init)
    self.figure = figure
    self.comparison = comparison
    self.asked = asked
  }

  private static func figure(_ name: String) -> Measure? {
    if name.utf8.first == UInt8(ascii: "p"), let percent = Double(name.dropFirst()) {
      return (0...100).contains(percent) ? .percentile(percent) : nil
    }
    return Measure.Name(rawValue: name).map { .named($0) }
  }

  private static func nanoseconds(_ text: String) -> Double? {
    SpanOfTime(unitRequired: text).map { $0.duration / .nanoseconds(1) }
  }

  private static func number(_ text: String, _ figure: Measure) -> Double? {
    let isRate = figure == .named(.rate) && text.hasSuffix("/s")
    return Double(isRate ? text.dropLast(2) : text[...]).flatMap {
      $0.isFinite && $0 >= 0 ? $0 : nil
    }
  }
}

extension Assertion {
  /// Whether the assertion limits the number of failed operations.
  var judgesErrors: Bool { figure == .named(.errors) }

  /// Whether the assertion judges operations that succeeded.
  private var judgesMeasurements: Bool {
    switch figure {
    case .named(.errors), .named(.unserved): false
    default: true
    }
  }

  /// Returns a message with the measured figure if it breaks the assertion; `nil` if the assertion
  /// holds.
  func failure(in result: CaseResult) -> String? {
    guard !judgesMeasurements || result.part(named: name).figures.runs > 0 else {
      return "\(text): nothing was measured\(place(result))"
    }
    let measured = measured(in: result)
    guard !comparison.holds(measured, asked) else { return nil }
    return "\(text): measured \(format(measured))\(place(result))"
  }

  private func place(_ result: CaseResult) -> String {
    result.isOneOfSeveral ? " with \(result.label)" : ""
  }

  private func measured(in result: CaseResult) -> Double {
    let part = result.part(named: name)
    return switch figure {
    case .percentile(let percent):
      Double(part.recording.latencies.nanoseconds(atPercentile: percent))
    case .named(.max): Double(part.recording.latencies.maximumNanoseconds)
    case .named(.mean): part.recording.latencies.meanNanoseconds
    case .named(.rate): part.figures.perSecond
    case .named(.errors): Double(part.figures.errors)
    case .named(.unserved): Double(part.figures.unserved)
    case .named(.results): Double(part.figures.most.results)
    case .named(.entries): Double(part.figures.most.entries)
    case .named(.documents): Double(part.figures.most.documents)
    case .named(.seeks): Double(part.figures.most.seeks)
    }
  }

  private func format(_ measured: Double) -> String {
    switch figure {
    case .percentile, .named(.max), .named(.mean): Figure.duration(nanoseconds: measured)
    case .named(.rate): Figure.rate(measured)
    default: Figure.count(Int(measured))
    }
  }
}
