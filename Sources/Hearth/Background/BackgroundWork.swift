import Dispatch
import DocumentEngine
import DocumentModel

/// What an open database does beside its callers: it builds the indexes that nobody waits for,
/// deletes documents whose time to live is past, and keeps up what is to be saved now and then.
final class BackgroundWork: Sendable {
  private let engine: Engine
  private let builds: IndexBuilds
  private let buildSchedule: StepSchedule
  private let sweepSchedule: StepSchedule
  private let sumSchedule: StepSchedule
  private let upkeep: Upkeep
  private let isRunning = Flag()

  /// - Parameter sweepInterval: how long to wait between two sweeps.
  init(_ engine: Engine, _ instruments: Instruments?, sweepInterval: Duration) {
    self.engine = engine
    let builds = engine.builds
    self.builds = builds
    let sumSchedule = StepSchedule("hearth.sums") {
      do throws(DatabaseError) {
        try engine.countSums()
      } catch {
        // A check says that they aren't counted, and finds what can't be read.
        instruments?.log?.report(error, of: .verify)
      }
      return nil
    }
    self.sumSchedule = sumSchedule
    buildSchedule = StepSchedule("hearth.builds") {
      do throws(DatabaseError) {
        let wait = try builds.step()
        if wait == nil, engine.lacksSums { sumSchedule.requestStep() }
        return wait
      } catch {
        // The build's status has it; what the store refuses now it refuses until it is reopened.
        instruments?.log?.report(error, of: .indexBuild)
        return nil
      }
    }
    upkeep = Upkeep(engine, instruments?.log)
    let sweeps = SweepSteps(engine, interval: sweepInterval, instruments)
    sweepSchedule = StepSchedule("hearth.sweeps") { sweeps.step() }
  }

  /// Begins with what was left unfinished when the database was closed.
  func start() {
    builds.onDemand { [weak buildSchedule] in buildSchedule?.requestStep() }
    if builds.hasWork { buildSchedule.requestStep() }
    if engine.lacksSums { sumSchedule.requestStep() }
    upkeep.start()
    isRunning.raise()
    requestSweep()
  }

  /// Begins a sweep, if the database does such work by itself.
  func requestSweep() {
    if isRunning.isRaised { sweepSchedule.requestStep() }
  }

  /// Waits for what is running; there will be no more.
  func stop() {
    builds.stop()
    buildSchedule.stop()
    sweepSchedule.stop()
    sumSchedule.stop()
    upkeep.finish()
  }

  /// As `stop`, without waiting for what is running.
  func end() {
    builds.stop()
    upkeep.end()
  }
}
