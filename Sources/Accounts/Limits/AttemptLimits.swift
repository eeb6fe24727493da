import Synchronization

/// The attempts of clients, which are refused once there are too many.
///
/// Each is forgotten after a time, one after the other, so that there are never more at once than
/// the count of an allowance, nor more in the long run than its rate. Only the time at which the
/// last one is forgotten is kept, in memory.
package final class AttemptLimits: Sendable {
  /// A client or an account whose attempts are counted.
  enum Subject: Hashable {
    case client(network: String)
    /// An account by its id, or an address in lower case.
    case account(String, project: String)
  }

  private struct Key: Hashable {
    let action: LimitedAction
    let subject: Subject
  }

  /// The subjects that are remembered.
  private let countLimit: Int
  /// The time at which the last attempt is forgotten, in milliseconds since 1970.
  private let ends = Mutex<[Key: Int64]>([:])

  package init(countLimit: Int = 100_000) {
    self.countLimit = max(1, countLimit)
  }

  /// The number of subjects that are remembered.
  package var count: Int { ends.withLock { $0.count } }

  /// Counts an attempt, unless one of its subjects has made too many: then it counts for none.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: whether it may go on.
  func take(_ action: LimitedAction, of subjects: [Subject], at now: Int64) -> Bool {
    ends.withLock { ends in
      var taken: [Key: Int64] = [:]
      for subject in subjects {
        let key = Key(action: action, subject: subject)
        let allowance = subject.allowance(for: action)
        let end = max(ends[key] ?? now, now) + allowance.interval
        guard end - now <= allowance.count * allowance.interval else { return false }
        taken[key] = end
      }
      if ends.count + taken.count > countLimit { forget(in: &ends, at: now) }
      ends.merge(taken) { $1 }
      return true
    }
  }

  /// Takes an attempt back that doesn't count.
  func giveBack(_ action: LimitedAction, of subjects: [Subject]) {
    ends.withLock { ends in
      for subject in subjects {
        ends[Key(action: action, subject: subject)]? -= subject.allowance(for: action).interval
      }
    }
  }

  /// Forgets all attempts of a subject.
  func forget(_ action: LimitedAction, of subject: Subject) {
    ends.withLock { $0[Key(action: action, subject: subject)] = nil }
  }

  /// Makes room: forgets what is over, and then the half that would be forgotten first.
  private func forget(in ends: inout [Key: Int64], at now: Int64) {
    ends = ends.filter { $0.value > now }
    guard ends.count >= countLimit / 2 else { return }
    for (key, _) in ends.sorted(by: { $0.value < $1.value }).prefix(ends.count / 2) {
      ends[key] = nil
    }
  }
}

extension AttemptLimits.Subject {
  fileprivate func allowance(for action: LimitedAction) -> LimitedAction.Allowance {
    switch self {
    case .client: action.ofClient
    case .account: action.ofAccount
    }
  }
}
