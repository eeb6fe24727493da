package import HearthDocumentModel

/// The caller that waits for the present thread's work.
///
/// Long work asks now and then whether a caller still wants its result. Like a task's cancellation,
/// the caller is known from the context, so that the functions in between needn't pass it on.
package struct Audience: Sendable {
  // A type of its own: with a function as the local's value, optimised code of other modules hands
  // the runtime no type, and it crashes (Swift 6.3).
  @TaskLocal private static var current: Audience?

  private let isGone: @Sendable () -> Bool

  /// Runs `work` for a caller that may leave before it is done.
  ///
  /// - Parameter isGone: returns whether the caller has left.
  package static func mayLeave<Result>(
    _ isGone: @escaping @Sendable () -> Bool, during work: () throws -> Result
  ) rethrows -> Result {
    try $current.withValue(Audience(isGone: isGone), operation: work)
  }

  /// Whether the work may lose its caller. Such work must not wait without an end.
  package static var mayLeave: Bool { current != nil }

  /// - Throws: `cancelled` if the caller has left.
  package static func check() throws(DatabaseError) {
    guard let current, current.isGone() else { return }
    throw DatabaseError(.cancelled, "No caller waits for it any more.")
  }
}
