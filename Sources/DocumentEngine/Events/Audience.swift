import DocumentModel

/// The caller that waits for what the present thread does.
///
/// Work that takes long asks now and then whether anybody wants its result any more. Like a task's
/// cancellation this is known from the surroundings, so that what lies between need not hand it on.
package struct Audience: Sendable {
  // A type of its own: with a function as the local's value, optimised code of other modules hands
  // the runtime no type, and it crashes (Swift 6.3).
  @TaskLocal private static var current: Audience?

  private let isGone: @Sendable () -> Bool

  /// Runs `work` for a caller that may leave before it is done.
  ///
  /// - Parameter isGone: tells whether it has left.
  package static func mayLeave<Result>(
    _ isGone: @escaping @Sendable () -> Bool, during work: () throws -> Result
  ) rethrows -> Result {
    try $current.withValue(Audience(isGone: isGone), operation: work)
  }

  /// Whether the work may lose its caller: then it must not wait without an end itself.
  static var mayLeave: Bool { current != nil }

  /// - Throws: `cancelled` if nobody wants the result any more.
  static func check() throws(DatabaseError) {
    guard let current, current.isGone() else { return }
    throw DatabaseError(.cancelled, "Nobody waits for it any more.")
  }
}
