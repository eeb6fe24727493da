public import CoreMetrics
public import Logging
#if Tracing
  public import Tracing
#endif

/// Who is told what a database does: a log, metrics and, with the package trait `Tracing`, a
/// tracer.
///
/// ```swift
/// var options = Database.Options()
/// options.observability.logger = Logger(label: "hearth")
/// options.observability.metrics = MetricsSystem.factory
/// options.observability.slowQueryThreshold = .milliseconds(50)
/// let database = try Database.open(at: "cities.hearth", options: options)
/// ```
///
/// Nobody is told anything unless it is asked for here, and then nothing is measured either.
/// <doc:Monitoring> lists the names of all metrics, and what is logged at which level.
public struct Observability: Sendable {
  /// Where messages go. No field of a document stands in one, but names of documents may, from the
  /// level `debug` down, and in a slow query's text its constants.
  public var logger: Logger?
  /// Who makes the metrics, such as `MetricsSystem.factory`, the process's own.
  public var metrics: (any MetricsFactory)?
  /// What the names of all metrics and spans begin with.
  public var prefix = "hearth"
  /// Dimensions of all metrics: the name of the database, where a process has several.
  public var dimensions: [(String, String)] = []
  /// A query that takes longer is logged as a warning, with its text, its plan and what it read.
  /// `nil` is none.
  public var slowQueryThreshold: Duration?
  /// A write of the store that takes longer counts as a stall, and is logged as a warning.
  public var stallThreshold = Duration.milliseconds(500)
  #if Tracing
    /// Who makes the spans, one for each operation, such as `InstrumentationSystem.tracer`.
    public var tracer: (any Tracer)?
  #endif

  /// Nobody is told anything.
  public init() {}
}
