package import HearthDocumentModel

/// The deadline of a query. Looks at the clock, and at the task that the query runs in, once in 256
/// checks.
package struct Deadline {
  /// The start of the time that `end` counts.
  private static let origin = ContinuousClock.now

  /// The time from the origin to the deadline; `nil` for none. Unlike an instant, whose layout is
  /// known only to its own module, it is looked at in one step.
  private let end: Duration?
  private var checkCount: UInt8 = 0

  package init(_ instant: ContinuousClock.Instant?) {
    end = instant.map { Deadline.origin.duration(to: $0) }
  }

  /// Lets the next check look at the clock, after a pause.
  package mutating func restart() { checkCount = 0 }

  /// - Throws: `deadlineExceeded` once the time is over, and `cancelled` once the task that runs on
  ///   this thread is. The first check looks at both.
  @inline(__always)
  package mutating func check() throws(DatabaseError) {
    guard let end else { return }
    defer { checkCount &+= 1 }
    if checkCount == 0 { try check(end) }
  }

  @inline(never)
  private func check(_ end: Duration) throws(DatabaseError) {
    guard Deadline.origin.duration(to: .now) < end else {
      throw DatabaseError(.deadlineExceeded, "The query was not done when its deadline passed.")
    }
    guard !Task.isCancelled else {
      throw DatabaseError(.cancelled, "The task of the query was cancelled.")
    }
  }
}
