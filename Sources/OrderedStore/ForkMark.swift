import Synchronization

/// A mark that tells whether the process is still the one that made it, and not a fork of that one.
///
/// A forked process has the memory of its parent but none of its threads. Locks that they held stay
/// locked, work that was given to them is never done, and open files are shared with the parent. So
/// what was open in the parent can be neither used nor closed there.
///
/// The question costs one load from memory.
package struct ForkMark: Sendable {
  /// Number of forks between this process and the first one that made a mark.
  private static let forkCount = Atomic(0)
  private static let isCounting: Void = ForkCalls.onFork(
    inChild: { ForkMark.forkCount.add(1, ordering: .relaxed) })

  private let number: Int

  package init() {
    ForkMark.isCounting
    number = ForkMark.forkCount.load(ordering: .relaxed)
  }

  /// Whether this process was forked from the one that made the mark.
  package var isInherited: Bool { ForkMark.forkCount.load(ordering: .relaxed) != number }
}

extension StoreError {
  /// The error of using a store in a process that was forked from one that had a store open.
  package static var forked: StoreError {
    StoreError(
      .forked,
      "This process was forked from one that has, or had, a database open, and can use neither "
        + "that one nor another: the threads that a database needs are not there. Start a program "
        + "with exec and open the database in it, once its other user has closed it; or fork "
        + "before the first database is opened.")
  }
}
