import DocumentEngine
import DocumentModel
import Synchronization

/// The sweeps of an open database, step by step: it deletes what has a time to live that is past.
final class SweepSteps: Sendable {
  private let engine: Engine
  private let sweep: Mutex<TimeToLiveSweep>
  private let interval: Duration
  private let instruments: Instruments?

  /// Sweeps that find nothing are not to keep a processor busy.
  private static let shortestInterval = Duration.milliseconds(100)

  /// - Parameter interval: how long to wait behind the end of a sweep for the next to begin; less
  ///   than 100 ms counts as that.
  init(_ engine: Engine, interval: Duration, _ instruments: Instruments?) {
    self.engine = engine
    sweep = Mutex(TimeToLiveSweep(engine))
    self.interval = max(interval, SweepSteps.shortestInterval)
    self.instruments = instruments
  }

  /// - Returns: how long to wait for the next step; `nil` where nothing has a time to live.
  func step() -> Duration? {
    guard engine.hasTimesToLive else { return nil }
    do throws(DatabaseError) {
      let start = ContinuousClock.now
      let advance = try sweep.withLock { sweep throws(DatabaseError) in try sweep.step() }
      if let error = advance.error { instruments?.log?.report(error, of: .sweep) }
      // Four fifths of the time are left to everybody else.
      return advance.isDone ? interval : min((ContinuousClock.now - start) * 4, .seconds(1))
    } catch {
      instruments?.log?.report(error, of: .sweep)
      return interval
    }
  }
}
