import DocumentModel

/// Who waits for what the present thread does.
///
/// Work that takes long asks now and then whether anybody wants its result any more. Like a task's
/// cancellation this is known from the surroundings, so that what lies between need not hand it on.
package enum Audience {
  /// Tells whether whoever waits is gone; `nil` where that can't happen before the work is done.
  @TaskLocal package static var isGone: (@Sendable () -> Bool)?

  /// Whether the work may lose whoever waits for it: then it must not wait without an end itself.
  static var mayLeave: Bool { isGone != nil }

  /// - Throws: `cancelled` if nobody wants the result any more.
  static func check() throws(DatabaseError) {
    guard let isGone, isGone() else { return }
    throw DatabaseError(.cancelled, "Nobody waits for it any more.")
  }
}
