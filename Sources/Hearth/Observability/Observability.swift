public import CoreMetrics
public import Logging
#if Tracing
  public import Tracing
#endif

/// The receivers of a database's reports: a log, metrics and, with the package trait `Tracing`, a
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
/// By default nothing is reported, and then nothing is measured either. <doc:Monitoring> lists the
/// names of all metrics, and the messages of each log level.
public struct Observability: Sendable {
  /// Receiver of log messages. They never contain fields of documents. Names of documents may
  /// appear from the level `debug` down, and the constants of a slow query in its text.
  public var logger: Logger?
  /// Factory of the metrics, such as `MetricsSystem.factory`, the process's own.
  public var metrics: (any MetricsFactory)?
  /// Prefix of the names of all metrics and spans.
  public var prefix = "hearth"
  /// Dimensions of all metrics, such as the name of the database if a process has several.
  public var dimensions: [(String, String)] = []
  /// Time after which a query is logged as a warning, with its text, its plan and its reads; `nil`
  /// for no such warnings.
  public var slowQueryThreshold: Duration?
  /// Time after which a write of the store counts as a stall, and is logged as a warning.
  public var stallThreshold = Duration.milliseconds(500)
  #if Tracing
    /// Tracer that makes the spans, one for each operation, such as `InstrumentationSystem.tracer`.
    public var tracer: (any Tracer)?
  #endif

  /// Creates a value without receivers.
  public init() {}
}
