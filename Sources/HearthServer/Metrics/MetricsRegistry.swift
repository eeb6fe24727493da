package import CoreMetrics
import Synchronization

/// The metrics of a server in memory, printed in Prometheus' text form.
///
/// Metrics of one name and the same dimensions are one series: all databases add to it. So their
/// number doesn't grow with that of the databases.
package final class MetricsRegistry: MetricsFactory {
  private struct State {
    var counters = SeriesFamilies<CounterSeries>()
    var gauges = SeriesFamilies<GaugeSeries>()
    var histograms = SeriesFamilies<HistogramSeries>()
  }

  private let state = Mutex(State())

  package init() {}

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    state.withLock { $0.counters.series(label + ".total", dimensions) { CounterSeries() } }
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    state.withLock { state in
      guard !aggregate else {
        return state.histograms.series(label, dimensions) { HistogramSeries(.amounts) }
      }
      return GaugePart(of: state.gauges.series(label, dimensions) { GaugeSeries() })
    }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    timer(label, dimensions: dimensions)
  }

  /// Returns the timer of a name and dimensions.
  func timer(_ label: String, dimensions: [(String, String)]) -> HistogramSeries {
    state.withLock {
      $0.histograms.series(label + ".seconds", dimensions) { HistogramSeries(.seconds) }
    }
  }

  // The series stay, since others may add to them.
  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  /// Returns the sum of a gauge over all of its dimensions.
  func gauge(_ label: String) -> Double {
    state.withLock { $0.gauges.all(label).reduce(0) { $0 + $1.value } }
  }

  /// Writes all series.
  package func write(to page: inout MetricsPage) {
    let state = state.withLock { $0 }
    for (name, labels, counter) in state.counters.sorted {
      page.add(name, .counter, Double(counter.value), labels)
    }
    for (name, labels, gauge) in state.gauges.sorted {
      page.add(name, .gauge, gauge.value, labels)
    }
    for (name, labels, histogram) in state.histograms.sorted {
      page.add(name, labels, histogram.distribution)
    }
  }
}

/// Series of one kind by their names and labels.
private struct SeriesFamilies<Series> {
  private var families: [String: [MetricLabels: Series]] = [:]

  /// Returns the series of a name and dimensions; makes it if there is none.
  mutating func series(
    _ name: String, _ dimensions: [(String, String)], _ make: () -> Series
  ) -> Series {
    let (name, labels) = (MetricsPage.name(name), MetricLabels(dimensions))
    if let known = families[name]?[labels] { return known }
    let made = make()
    families[name, default: [:]][labels] = made
    return made
  }

  /// Returns the series of a name.
  func all(_ name: String) -> [Series] {
    families[MetricsPage.name(name)].map { Array($0.values) } ?? []
  }

  /// All series, those of one name together.
  var sorted: [(name: String, labels: MetricLabels, series: Series)] {
    families.sorted { $0.key < $1.key }.flatMap { name, family in
      family.sorted { $0.key.text < $1.key.text }.map { (name, $0.key, $0.value) }
    }
  }
}
