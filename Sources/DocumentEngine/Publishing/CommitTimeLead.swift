import HearthDocumentModel
import Synchronization

/// The time by which commit times are ahead of the clock, of which an observer is told once.
final class CommitTimeLead: Sendable {
  /// One minute, in microseconds. Clocks that a server keeps are set back by less.
  private static let limit: Int64 = 60_000_000

  private let observer: (any EngineObserver)?
  private let hasTold: Atomic<Bool>

  /// Creates the lead of a database with this last commit. A lead that exists already is reported
  /// by the caller.
  init(_ observer: (any EngineObserver)?, of time: Timestamp, before now: Timestamp) {
    self.observer = observer
    hasTold = Atomic(CommitTimeLead.duration(of: time, before: now) != nil)
  }

  /// Returns the lead; `nil` for a minute or less.
  static func duration(of time: Timestamp, before now: Timestamp) -> Duration? {
    let lead = time.microseconds - now.microseconds
    return lead > limit ? .microseconds(lead) : nil
  }

  /// Tells the observer of the first lead of a commit's time.
  func tell(of time: Timestamp, before now: Timestamp) {
    guard let observer, let lead = CommitTimeLead.duration(of: time, before: now),
      !hasTold.exchange(true, ordering: .relaxed)
    else { return }
    observer.observe(.commitTimesLead(lead))
  }
}
