import CoreMetrics
import HearthOrderedStore

/// Metrics that keep all records, under texts such as `hearth.get.duration{outcome=ok}`.
final class CapturedMetrics: MetricsFactory {
  private let recorded = Lock<[String: [Int64]]>([:])

  /// The records of a name, in their order.
  subscript(name: String) -> [Int64] { recorded.withLock { $0[name] ?? [] } }

  /// Names that have records.
  var names: Set<String> { Set(recorded.withLock { $0.keys }) }

  private func handler(_ label: String, _ dimensions: [(String, String)]) -> CapturedMetric {
    let text = dimensions.map { "\($0)=\($1)" }.joined(separator: ",")
    let name = text.isEmpty ? label : "\(label){\(text)}"
    return CapturedMetric { value in self.recorded.withLock { $0[name, default: []].append(value) }
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    handler(label, dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    handler(label, dimensions)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    handler(label, dimensions)
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

private final class CapturedMetric: CounterHandler, RecorderHandler, TimerHandler {
  private let append: @Sendable (Int64) -> Void

  init(_ append: @escaping @Sendable (Int64) -> Void) {
    self.append = append
  }

  func increment(by count: Int64) { append(count) }
  func reset() {}
  func record(_ value: Int64) { append(value) }
  func record(_ value: Double) { append(Int64(value)) }
  func recordNanoseconds(_ duration: Int64) { append(duration) }
}
