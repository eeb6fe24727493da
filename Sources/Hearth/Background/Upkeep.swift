import DocumentEngine
import DocumentModel
import Synchronization

/// What a database does for itself beside its callers, now and then: it saves what was counted of
/// the use of indexes, and compacts where much was deleted.
final class Upkeep: Sendable {
  private static let interval = Duration.seconds(10)
  /// Counts are saved once in so many intervals.
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
      if Upkeep.compactDeleted(engine, log) { return .zero }
      if intervals.next().isMultiple(of: Upkeep.savePeriod) { Upkeep.saveUsage(engine, log) }
      return Upkeep.interval
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

  /// Brings to its end what is under way, once, before the engine closes.
  func finish() {
    guard isStarted.isRaised, isFinished.raise() else { return }
    schedule.stop()
    Upkeep.saveUsage(engine, log)
  }

  /// As `finish`, without waiting for what is running.
  func end() {
    guard isStarted.isRaised, isFinished.raise() else { return }
    Upkeep.saveUsage(engine, log)
  }

  /// What is lost if it fails are counts that nothing depends on; the next attempt has them too.
  private static func saveUsage(_ engine: Engine, _ log: DatabaseLog?) {
    do {
      try engine.saveUsage()
    } catch {
      log?.reportUpkeep("What was counted of the use of indexes could not be saved.", error)
    }
  }

  /// - Returns: whether there may be more to do.
  private static func compactDeleted(_ engine: Engine, _ log: DatabaseLog?) -> Bool {
    do throws(DatabaseError) {
      if try engine.builds.compactDropped() { return true }
      return try engine.compactDeleted()
    } catch {
      log?.reportUpkeep("What was deleted could not be compacted.", error)
      return false
    }
  }
}
