import DocumentEngine
import DocumentModel
#if Tracing
  import Tracing
#endif

/// One call that is observed, from its beginning to its end.
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

  /// Runs `body`, whose own calls are this one's children.
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

  /// Ends the call.
  ///
  /// - Parameter work: what a query did.
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

extension Database {
  /// Runs `body`, and tells whoever observes the database. For nobody it only runs it.
  func observed<Result, Failure>(
    _ operation: Operation, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard instruments != nil || latencies.isMeasuring else { return try body() }
    let start = startOfRead(operation)
    defer { if let start { noteRead(since: start) } }
    guard let instruments else { return try body() }
    let observation = Observation(operation, by: instruments)
    do {
      let result = try observation.run(body)
      observation.end(nil)
      return result
    } catch {
      observation.end(error)
      throw error
    }
  }

  /// Runs `body`, which may wait, and tells whoever observes the database.
  func observed<Result: Sendable, Failure>(
    _ operation: Operation, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard let instruments else { return try await body() }
    let observation = Observation(operation, by: instruments)
    do {
      let result = try await observation.run(body)
      observation.end(nil)
      return result
    } catch {
      observation.end(error)
      throw error
    }
  }

  /// Runs a query, which tells what it does by the value that `body` is given.
  func observed<Result>(
    _ operation: Operation, in databaseID: DatabaseID,
    _ body: (QueryWork?) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let start = startOfRead(operation)
    defer { if let start { noteRead(since: start) } }
    guard let instruments else {
      do throws(DatabaseError) {
        return try body(nil)
      } catch {
        throw engine.builds.addingProgress(to: error)
      }
    }
    let work = QueryWork(in: databaseID)
    let observation = Observation(operation, by: instruments)
    do {
      let result = try observation.run { () throws(DatabaseError) in try body(work) }
      observation.end(nil, work)
      return result
    } catch {
      observation.end(error, work)
      throw engine.builds.addingProgress(to: error)
    }
  }
}

extension Database {
  /// The time now, if a build is to give way to slow reads and this is one.
  private func startOfRead(_ operation: Operation) -> ContinuousClock.Instant? {
    latencies.isMeasuring && operation.isRead ? .now : nil
  }

  private func noteRead(since start: ContinuousClock.Instant) {
    latencies.record(ContinuousClock.now - start)
  }
}
