import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep

/// The warm start of an open database: it reads the documents back that were in memory at the last
/// close, and notes those that are at this one.
final class Warming: Sendable {
  /// The pause between two steps, which leaves most of the time to others.
  private static let pause = Duration.milliseconds(1)

  private let warmStart: WarmStart
  private let log: DatabaseLog?
  private let schedule: StepSchedule
  private let isStarted = Flag()
  private let isFinished: Flag

  init(_ engine: Engine, _ log: DatabaseLog?) {
    let warmStart = WarmStart(engine)
    let isFinished = Flag()
    self.warmStart = warmStart
    self.log = log
    self.isFinished = isFinished
    schedule = StepSchedule("hearth.warming") {
      do throws(DatabaseError) {
        return try warmStart.step() ? Warming.pause : nil
      } catch {
        // A database that was released without a close has no documents to read any more.
        guard !isFinished.isRaised else { return nil }
        log?.reportUpkeep("The documents of a warm start could not be read.", error)
        return nil
      }
    }
  }

  func start() {
    isStarted.raise()
    schedule.requestStep()
  }

  /// Waits for the running step, and notes the documents in memory, once, before the engine closes.
  func finish() {
    guard isStarted.isRaised, isFinished.raise() else { return }
    schedule.stop()
    note()
  }

  /// Does the same as `finish` without waiting for the running step.
  func end() {
    guard isStarted.isRaised, isFinished.raise() else { return }
    schedule.end()
    note()
  }

  /// Notes the documents in memory. If that fails, no data depends on the note, and the next start
  /// is as cold as the one after the note before.
  private func note() {
    do throws(DatabaseError) {
      try warmStart.note()
    } catch {
      log?.reportUpkeep("The documents in memory could not be noted for a warm start.", error)
    }
  }
}
