import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep

extension Database {
  /// Runs `body`, and reports the call to the observers. Without observers it only runs `body`.
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

  /// Runs `body`, which may wait, and reports the call to the observers.
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

  /// Runs a query, which reports its work through the value that `body` receives.
  @inline(__always)
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
  /// Returns the time now if a build has to give way to slow reads and this is a read; otherwise
  /// `nil`.
  private func startOfRead(_ operation: Operation) -> ContinuousClock.Instant? {
    latencies.isMeasuring && operation.isRead ? .now : nil
  }

  private func noteRead(since start: ContinuousClock.Instant) {
    latencies.record(ContinuousClock.now - start)
  }
}
