import Dispatch
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep

/// Background work of an open database: it builds the indexes that no caller waits for, deletes
/// documents whose time to live is over, reads documents back into memory after the opening, and
/// does the regular upkeep.
final class BackgroundWork: Sendable {
  private let engine: Engine
  private let builds: IndexBuilds
  private let buildSchedule: StepSchedule
  private let sweepSchedule: StepSchedule
  private let sumSchedule: StepSchedule
  private let upkeep: PeriodicUpkeep
  /// The warm start; `nil` if the database starts cold.
  private let warming: Warming?
  private let isRunning = Flag()

  /// - Parameters:
  ///   - sweepInterval: the time between two sweeps.
  ///   - startsWarm: whether documents are read back into memory.
  init(
    _ engine: Engine, _ instruments: Instruments?, sweepInterval: Duration, startsWarm: Bool
  ) {
    self.engine = engine
    let builds = engine.builds
    self.builds = builds
    let sumSchedule = StepSchedule("hearth.sums") {
      do throws(DatabaseError) {
        try engine.countSums()
      } catch {
        // A verification reports that the sums aren't counted, and finds the data that can't be
        // read.
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
        // The build's status has the error. The store refuses further work until it is reopened.
        instruments?.log?.report(error, of: .indexBuild)
        return nil
      }
    }
    upkeep = PeriodicUpkeep(engine, instruments?.log)
    warming = startsWarm ? Warming(engine, instruments?.log) : nil
    let sweeps = SweepSteps(engine, interval: sweepInterval, instruments)
    sweepSchedule = StepSchedule("hearth.sweeps") { sweeps.step() }
  }

  /// Begins, first with the work left unfinished when the database was closed.
  func start() {
    builds.onDemand { [weak buildSchedule] in buildSchedule?.requestStep() }
    if builds.hasWork { buildSchedule.requestStep() }
    if engine.lacksSums { sumSchedule.requestStep() }
    upkeep.start()
    warming?.start()
    isRunning.raise()
    requestSweep()
  }

  /// Begins a sweep, if the database does such work by itself.
  func requestSweep() {
    if isRunning.isRaised { sweepSchedule.requestStep() }
  }

  /// Stops all work, and waits for the work that is running.
  func stop() {
    builds.stop()
    buildSchedule.stop()
    sweepSchedule.stop()
    sumSchedule.stop()
    warming?.finish()
    upkeep.finish()
  }

  /// Does the same as `stop` without waiting for the work that is running.
  func end() {
    builds.stop()
    warming?.end()
    upkeep.end()
  }
}
