import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Synchronization

/// The sweeps of an open database, step by step. They delete documents whose time to live is over.
final class SweepSteps: Sendable {
  private let engine: Engine
  private let sweep: Mutex<TimeToLiveSweep>
  private let interval: Duration
  private let instruments: Instruments?

  /// Lower limit of the interval, so that sweeps that find nothing don't keep a processor busy.
  private static let shortestInterval = Duration.milliseconds(100)

  /// - Parameter interval: the time from the end of a sweep to the beginning of the next, at least
  ///   100 ms.
  init(_ engine: Engine, interval: Duration, _ instruments: Instruments?) {
    self.engine = engine
    sweep = Mutex(TimeToLiveSweep(engine))
    self.interval = max(interval, SweepSteps.shortestInterval)
    self.instruments = instruments
  }

  /// Does one step of a sweep.
  ///
  /// - Returns: the time to wait for the next step; `nil` if nothing has a time to live.
  func step() -> Duration? {
    guard engine.hasTimesToLive else { return nil }
    do throws(DatabaseError) {
      let start = ContinuousClock.now
      let advance = try sweep.withLock { sweep throws(DatabaseError) in try sweep.step() }
      if let error = advance.error { instruments?.log?.report(error, of: .sweep) }
      // Four fifths of the time are left to all others.
      return advance.isDone ? interval : min((ContinuousClock.now - start) * 4, .seconds(1))
    } catch {
      instruments?.log?.report(error, of: .sweep)
      return interval
    }
  }
}
