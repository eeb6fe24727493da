import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Synchronization

/// Regular upkeep of a database beside its callers: it saves the counts of the use of indexes, and
/// compacts key ranges in which much was deleted.
final class PeriodicUpkeep: Sendable {
  private static let interval = Duration.seconds(10)
  /// Number of intervals between two saves of the counts.
  private static let savePeriod = 6

  private let engine: Engine
  private let log: DatabaseLog?
  private let schedule: StepSchedule
  private let isStarted = Flag()
  private let isFinished = Flag()

  init(_ engine: Engine, _ log: DatabaseLog?) {
    self.engine = engine
    self.log = log
    let intervals = Intervals()
    schedule = StepSchedule("hearth.upkeep") {
      if PeriodicUpkeep.compactDeleted(engine, log) { return .zero }
      if intervals.next().isMultiple(of: PeriodicUpkeep.savePeriod) {
        PeriodicUpkeep.saveUsage(engine, log)
      }
      return PeriodicUpkeep.interval
    }
  }

  func start() {
    isStarted.raise()
    schedule.requestStep()
  }

  /// Counts the intervals from 1.
  private final class Intervals: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  /// Waits for the running upkeep, and saves the counts, once, before the engine closes.
  func finish() {
    guard isStarted.isRaised, isFinished.raise() else { return }
    schedule.stop()
    PeriodicUpkeep.saveUsage(engine, log)
  }

  /// Does the same as `finish` without waiting for the running upkeep.
  func end() {
    guard isStarted.isRaised, isFinished.raise() else { return }
    PeriodicUpkeep.saveUsage(engine, log)
  }

  /// Saves the counts of the use of indexes. If that fails, no data depends on the lost counts, and
  /// the next attempt includes them.
  private static func saveUsage(_ engine: Engine, _ log: DatabaseLog?) {
    do {
      try engine.saveUsage()
    } catch {
      log?.reportUpkeep("The counts of index use could not be saved.", error)
    }
  }

  /// Compacts key ranges in which much was deleted.
  ///
  /// - Returns: whether there may be more to do.
  private static func compactDeleted(_ engine: Engine, _ log: DatabaseLog?) -> Bool {
    do throws(DatabaseError) {
      if try engine.builds.compactDropped() { return true }
      return try engine.compactDeleted()
    } catch {
      log?.reportUpkeep("Deleted data could not be compacted.", error)
      return false
    }
  }
}
