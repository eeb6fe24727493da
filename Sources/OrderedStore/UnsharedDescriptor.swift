/// A file descriptor that forked processes don't have: there it is closed before anything else
/// runs. In this process it is closed with its last reference.
///
/// It is for a lock, or for a socket that accepts connections. A forked process would otherwise
/// keep them beyond the end of this one.
package final class UnsharedDescriptor: Sendable {
  /// Open descriptors; locked during each fork.
  private static let open = Lock<Set<CInt>>([])
  private static let isClosedInChildren: Void = ForkCalls.onFork(
    before: { UnsharedDescriptor.open.lock() },
    inParent: { UnsharedDescriptor.open.unlock() },
    inChild: {
      let open = UnsharedDescriptor.open
      open.state.forEach(ForkCalls.closeDescriptor)
      // From now on these numbers are for the child's own descriptors.
      open.state.removeAll(keepingCapacity: true)
      open.unlock()
    })

  private let descriptor: CInt
  private let process: ForkMark

  /// - Parameter open: makes the descriptor. It must not wait, since no thread can fork meanwhile.
  ///   A negative number means a failure, with the system's reason in `errno`.
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

  /// Number for system calls; in a forked process -1, which is no descriptor.
  package var number: CInt { process.isInherited ? -1 : descriptor }
}
