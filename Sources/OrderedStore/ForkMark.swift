import Synchronization

/// Tells whether the process is still the one that the mark was made in, and no fork of it.
///
/// A forked process has the memory of its parent, and none of its threads: locks that they held
/// stay locked, work that was given to them is never done, and files that are open are the
/// parent's too. So what was open in the parent can't be used there, nor be closed.
///
/// To ask costs a load from memory.
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

  /// Whether the process was forked since.
  package var isInherited: Bool { ForkMark.forkCount.load(ordering: .relaxed) != number }
}

extension StoreError {
  /// For every use of what was open when the process was forked.
  package static var forked: StoreError {
    StoreError(
      .forked,
      "This process was forked from one that has, or had, a database open, and can use neither "
        + "that one nor another: the threads that a database needs are not there. Start a program "
        + "with exec and open the database in it, once its other user has closed it; or fork "
        + "before the first database is opened.")
  }
}
