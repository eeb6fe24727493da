import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
#if Tracing
  import Tracing
#endif

/// The observation of one call, from its beginning to its end.
struct Observation {
  private let instruments: Instruments
  private let operation: Operation
  private let start = ContinuousClock.now
  #if Tracing
    private let span: (any Span)?
  #endif

  init(_ operation: Operation, by instruments: Instruments) {
    self.instruments = instruments
    self.operation = operation
    #if Tracing
      span = instruments.tracer.map {
        $0.startSpan(
          "\(instruments.prefix).\(operation.name)", context: .current ?? .topLevel,
          ofKind: .internal)
      }
    #endif
  }

  /// Runs `body`. Calls that `body` makes are children of this one.
  func run<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if Tracing
      guard let span else { return try body() }
      return try ServiceContext.withValue(span.context) {
        Swift.Result<Result, Failure>(catching: body)
      }.get()
    #else
      return try body()
    #endif
  }

  func run<Result: Sendable, Failure>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    #if Tracing
      guard let span else { return try await body() }
      let outcome = await ServiceContext.withValue(span.context) {
        do throws(Failure) {
          return Swift.Result<Result, Failure>.success(try await body())
        } catch {
          return .failure(error)
        }
      }
      return try outcome.get()
    #else
      return try await body()
    #endif
  }

  /// Ends the observation.
  ///
  /// - Parameter work: the work of a query.
  func end(_ error: (any Error)?, _ work: QueryWork? = nil) {
    let duration = ContinuousClock.now - start
    instruments.finish(operation, after: duration, error)
    if let work { instruments.finish(work, of: operation, after: duration) }
    #if Tracing
      guard let span else { return }
      if let error {
        span.recordError(error)
        span.setStatus(SpanStatus(code: .error))
      }
      if let statistics = work?.statistics {
        span.attributes["hearth.entries"] = statistics.entriesRead
        span.attributes["hearth.documents"] = statistics.documentsRead
      }
      span.end()
    #endif
  }
}
