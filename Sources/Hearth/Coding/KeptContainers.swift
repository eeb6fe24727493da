import Synchronization

/// Keyed containers that are used after the decoding: those that types have kept, and those of kept
/// decoders.
///
/// A container counts no reference to its fields. They stay here until nothing else refers to the
/// container, which is found out when as many more containers have been kept.
enum KeptContainers {
  private static let kept = Mutex(Kept())

  /// Keeps a container's fields, and their document, as long as the container is referred to.
  @inline(never)
  static func keep(_ container: ReusableContainer) {
    container.fields.outlive()
    let container = Unmanaged.passRetained(container)
    let unused = kept.withLock { $0.add(Kept.Container(container)) }
    // Not under the lock: a decoder's `userInfo` may run code when it is released.
    for container in unused { container.release() }
  }
}

extension KeptContainers {
  private struct Kept {
    private var containers: [Container] = []
    private var countToSweep = 16

    /// Adds a container.
    ///
    /// - Returns: earlier ones that nothing else refers to.
    mutating func add(_ container: Container) -> [Container] {
      var unused: [Container] = []
      if containers.count == countToSweep {
        let end = containers.partition { $0.isUnshared }
        unused = Array(containers[end...])
        containers.removeSubrange(end...)
        countToSweep = max(16, 2 * containers.count)
      }
      containers.append(container)
      return unused
    }

    /// A container with a reference that is counted. It may be sent to another thread, since only
    /// the one that sweeps uses it.
    struct Container: @unchecked Sendable {
      private let container: Unmanaged<ReusableContainer>
      init(_ container: Unmanaged<ReusableContainer>) { self.container = container }
      var isUnshared: Bool { container._withUnsafeGuaranteedRef { $0.isUnshared() } }
      func release() { container.release() }
    }
  }
}
