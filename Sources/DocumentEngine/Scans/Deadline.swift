package import HearthDocumentModel

/// The deadline of a query. Looks at the clock, and at the task that the query runs in, once in 256
/// checks.
package struct Deadline {
  private let instant: ContinuousClock.Instant?
  private var checkCount: UInt8 = 0

  package init(_ instant: ContinuousClock.Instant?) {
    self.instant = instant
  }

  /// Lets the next check look at the clock, after a pause.
  package mutating func restart() { checkCount = 0 }

  /// - Throws: `deadlineExceeded` once the time is over, and `cancelled` once the task that runs on
  ///   this thread is. The first check looks at both.
  @inline(__always)
  package mutating func check() throws(DatabaseError) {
    guard let instant else { return }
    defer { checkCount &+= 1 }
    guard checkCount == 0 else { return }
    guard ContinuousClock.now < instant else {
      throw DatabaseError(.deadlineExceeded, "The query was not done when its deadline passed.")
    }
    guard !Task.isCancelled else {
      throw DatabaseError(.cancelled, "The task of the query was cancelled.")
    }
  }
}
