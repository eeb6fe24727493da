import CoreMetrics
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Logging
#if Tracing
  import Tracing
#endif

/// The instruments of an observed database: its metrics, made once, its log, and its tracer.
final class Instruments: Sendable {
  let metrics: DatabaseMetrics?
  let log: DatabaseLog?
  let slowQueryThreshold: Duration?
  let stallThreshold: Duration
  #if Tracing
    let tracer: (any Tracer)?
    let prefix: String
  #endif

  /// Creates the instruments; `nil` if nothing observes the database.
  init?(_ observability: Observability) {
    metrics = observability.metrics.map { DatabaseMetrics(observability, $0) }
    log = observability.logger.map(DatabaseLog.init)
    slowQueryThreshold = observability.logger == nil ? nil : observability.slowQueryThreshold
    stallThreshold = observability.stallThreshold
    var isNeeded = metrics != nil || log != nil
    #if Tracing
      tracer = observability.tracer
      prefix = observability.prefix
      isNeeded = isNeeded || tracer != nil
    #endif
    guard isNeeded else { return nil }
  }

  func finish(_ operation: Operation, after duration: Duration, _ error: (any Error)?) {
    metrics?.record(operation, duration, error)
    if let error { log?.report(error, of: operation) }
  }

  func finish(_ work: QueryWork, of operation: Operation, after duration: Duration) {
    guard let statistics = work.statistics else { return }
    metrics?.record(statistics, of: operation)
    guard let slowQueryThreshold, duration > slowQueryThreshold else { return }
    log?.reportSlow(operation, work, statistics, duration)
  }
}

extension Instruments: EngineObserver {
  func observe(_ event: EngineEvent) {
    metrics?.record(event)
    log?.report(event)
    guard case .groupCommitted(let group) = event, group.storing > stallThreshold else { return }
    metrics?.recordStall(group.storing)
    log?.reportStall(group)
  }
}

extension Instruments: BuildObserver {
  func observe(_ event: BuildEvent) {
    metrics?.record(event)
    log?.report(event)
  }
}
