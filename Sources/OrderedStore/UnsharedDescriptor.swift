/// A descriptor of the system that forked processes don't get: there it is closed before anything
/// else runs. It is closed here with its last reference.
///
/// For a lock, or a socket that takes connections, which would outlive this process as long as one
/// that was forked from it.
package final class UnsharedDescriptor: Sendable {
  /// Open descriptors; locked during each fork.
  private static let open = Lock<Set<CInt>>([])
  private static let isClosedInChildren: Void = ForkCalls.onFork(
    before: { UnsharedDescriptor.open.lock() },
    inParent: { UnsharedDescriptor.open.unlock() },
    inChild: {
      let open = UnsharedDescriptor.open
      open.state.forEach(ForkCalls.closeDescriptor)
      // Whatever gets these numbers from now on is the child's own.
      open.state.removeAll(keepingCapacity: true)
      open.unlock()
    })

  private let descriptor: CInt
  private let process: ForkMark

  /// - Parameter open: makes the descriptor, and must not wait: nobody can fork meanwhile. What is
  ///   negative is none, for the reason that the system gives.
  package init?(_ open: () -> CInt) {
    UnsharedDescriptor.isClosedInChildren
    process = ForkMark()
    descriptor = UnsharedDescriptor.open.withLock { all in
      let descriptor = open()
      if descriptor >= 0 { all.insert(descriptor) }
      return descriptor
    }
    if descriptor < 0 { return nil }
  }

  deinit {
    guard descriptor >= 0, !process.isInherited else { return }
    UnsharedDescriptor.open.withLock { [descriptor] all in
      all.remove(descriptor)
      ForkCalls.closeDescriptor(descriptor)
    }
  }

  /// Number for calls of the system; in a forked process that of no descriptor.
  package var number: CInt { process.isInherited ? -1 : descriptor }
}
