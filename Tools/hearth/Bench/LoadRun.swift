import Dispatch
import Hearth
import Synchronization

/// Workers that carry out a load, each on a thread of its own.
///
/// Without a rate, each worker begins an operation when its last one ends. With a rate, operations
/// arrive, and the latency of each counts from its arrival: an operation that waits because others
/// are slow is slow itself.
struct LoadRun<Operations: Load>: Sendable {
  let load: Operations
  let workerCount: Int
  let arrivals: Arrivals?
  let limits: LoadLimits
  let stop: StopFlag

  init(
    _ load: Operations, workerCount: Int, rate: Double?, limits: LoadLimits, seed: UInt64,
    stop: StopFlag
  ) {
    self.load = load
    self.workerCount = workerCount
    arrivals = rate.map { Arrivals(rate: $0, limits: limits, seed: seed, stop: stop) }
    self.limits = limits
    self.stop = stop
  }

  /// Starts the workers, which leave `group` when they are done.
  func start(in group: DispatchGroup) -> Recordings {
    let recordings = Recordings()
    let start = MonotonicClock.nanoseconds
    for worker in 0..<workerCount {
      DispatchQueue(label: "hearth.bench.\(worker)").async(group: group) {
        let recording =
          if let arrivals {
            serve(arrivals, since: start)
          } else {
            work(worker, since: start)
          }
        recordings.add(recording)
      }
    }
    return recordings
  }

  /// Returns the recordings of all workers together, with the operations that arrived and were not
  /// served.
  func result(_ recordings: Recordings) -> Recording {
    var whole = Recording(kindCount: load.kindCount)
    for recording in recordings.all { whole.add(recording) }
    if let time = limits.nanoseconds, let arrivals {
      let end = max(time, whole.elapsed)
      arrivals.forEachLeft { arrival in
        let kind = load.kind(ofOperation: arrival.number)
        whole.recordUnserved(kind: kind, waited: end - arrival.time)
      }
    }
    return whole
  }

  /// Carries out the operations of one worker, each after the one before.
  ///
  /// - Parameter start: the time when the load began, by the clock.
  private func work(_ worker: Int, since start: Int64) -> Recording {
    var recording = Recording(kindCount: load.kindCount)
    var number = worker
    var elapsed = MonotonicClock.nanoseconds - start
    while !stop.isSet, limits.allow(operation: number, after: elapsed) {
      let begin = MonotonicClock.nanoseconds - start
      let result = outcome(number)
      elapsed = MonotonicClock.nanoseconds - start
      recording.record(
        result, kind: load.kind(ofOperation: number), from: begin, to: elapsed,
        round: limits.round(ofOperation: number, after: begin))
      number += workerCount
    }
    return recording
  }

  private func serve(_ arrivals: Arrivals, since start: Int64) -> Recording {
    var recording = Recording(kindCount: load.kindCount)
    while let arrival = arrivals.next(since: start) {
      let result = outcome(arrival.number)
      recording.record(
        result, kind: load.kind(ofOperation: arrival.number), from: arrival.time,
        to: MonotonicClock.nanoseconds - start,
        round: limits.round(ofOperation: arrival.number, after: arrival.time))
    }
    return recording
  }

  private func outcome(_ number: Int) -> Result<Work, DatabaseError> {
    Result { () throws(DatabaseError) in try load.perform(number) }
  }
}

/// The recordings of a load's workers.
final class Recordings: Sendable {
  private let recordings = Mutex<[Recording]>([])

  var all: [Recording] { recordings.withLock { $0 } }

  func add(_ recording: Recording) {
    recordings.withLock { $0.append(recording) }
  }
}
