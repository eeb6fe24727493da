package import HearthDocumentModel

/// The deadline of a query. Looks at the clock once in 256 checks.
package struct Deadline {
  private let instant: ContinuousClock.Instant?
  private var checkCount: UInt8 = 0

  package init(_ instant: ContinuousClock.Instant?) {
    self.instant = instant
  }

  /// - Throws: `deadlineExceeded` once the time is over. The first check looks at the clock.
  @inline(__always)
  package mutating func check() throws(DatabaseError) {
    guard let instant else { return }
    defer { checkCount &+= 1 }
    guard checkCount == 0, ContinuousClock.now >= instant else { return }
    throw DatabaseError(.deadlineExceeded, "The query was not done when its deadline passed.")
  }
}
