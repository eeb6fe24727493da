/// The keyed containers of earlier decodings, kept for reuse. Making one costs as much as decoding
/// several fields; most of that is the runtime's look-up of generic types.
///
/// Containers are lent in the order of the `init(from:)` calls that ask for them, and taken back
/// when such a call returns. A container that the call has kept stays lent.
final class KeyedContainers {
  /// The containers between two decodings. They depend on types alone, so that all databases of the
  /// process share them.
  static let spare = Spare<KeyedContainers>()

  /// All containers. This object owns them, and goes through them without counting references.
  @exclusivity(unchecked) private var all: [Unmanaged<ReusableContainer>] = []
  /// Indexes of the lent containers, the latest last.
  @exclusivity(unchecked) private var lent: [Int] = []
  /// Whether a container was kept by a type, so that none can be reused for other documents.
  @exclusivity(unchecked) private var isShared = false

  /// Maximum number of containers, as each is found by a linear search.
  private static let limit = 64

  deinit { removeAll() }

  private func removeAll() {
    for container in all { container.release() }
    all = []
    lent = []
  }

  var lentCount: Int { lent.count }

  /// Whether no more containers may be added.
  var isFull: Bool { all.count >= KeyedContainers.limit }

  /// Lends a container with keys of a type; returns `nil` if there is none.
  @inline(__always)
  func lend(keyedBy keyType: ObjectIdentifier) -> Unmanaged<ReusableContainer>? {
    guard lent.count < KeyedContainers.limit else { return nil }
    for index in all.indices {
      let container = all[index]
      let isFound = container._withUnsafeGuaranteedRef {
        guard $0.keyType == keyType, !$0.isLent else { return false }
        $0.isLent = true
        return true
      }
      guard isFound else { continue }
      lent.append(index)
      return container
    }
    return nil
  }

  /// Adds a container and lends it. The caller has checked that there is room.
  func lend(new container: ReusableContainer) {
    container.isLent = true
    lent.append(all.count)
    all.append(.passRetained(container))
  }

  /// Takes back all lent containers except the first `count`.
  func takeBack(downTo count: Int) {
    while lent.count > count {
      let container = all[lent.removeLast()]
      container._withUnsafeGuaranteedRef {
        if $0.isUnshared() {
          $0.fields.end()
          $0.isLent = false
        } else {
          $0.fields.outlive()
          isShared = true
        }
      }
    }
  }

  /// Ends a decoding.
  ///
  /// - Returns: whether the containers can be used for another one.
  func end() -> Bool {
    takeBack(downTo: 0)
    guard !isShared else {
      // Code that keeps a container may keep the decoding, and so this object.
      removeAll()
      return false
    }
    return true
  }
}

/// A container that can be lent many times, with different fields each time.
class ReusableContainer {
  let keyType: ObjectIdentifier
  /// Fields that the container shows.
  let fields: KeyedFields
  @exclusivity(unchecked) var isLent = false
  /// The box that the container refers to, kept alive by the subclass.
  @exclusivity(unchecked) private var box: Unmanaged<AnyObject>

  fileprivate init(_ keyType: ObjectIdentifier, _ fields: KeyedFields, box: AnyObject) {
    self.keyType = keyType
    self.fields = fields
    self.box = .passUnretained(box)
  }

  /// Whether no other reference to the container exists.
  fileprivate func isUnshared() -> Bool {
    withUnsafeMutablePointer(to: &box) {
      $0.withMemoryRebound(to: AnyObject.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}

/// A reusable container of one type. The parameter is the container and not its keys, so that
/// copying it needs no look-up.
final class ReusableContainerOf<Container>: ReusableContainer {
  private let container: Container

  private init(_ keyType: ObjectIdentifier, _ fields: KeyedFields, _ container: Container) {
    self.container = container
    super.init(keyType, fields, box: unsafeBitCast(container, to: AnyObject.self))
  }

  /// Makes a container for the keys of a type.
  ///
  /// - Returns: `nil` if the standard library's container is no longer a single reference.
  static func make<Key: CodingKey>(
    keyedBy type: Key.Type, _ fields: KeyedFields
  ) -> ReusableContainerOf? where Container == KeyedDecodingContainer<Key> {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    return ReusableContainerOf(
      ObjectIdentifier(type), fields, KeyedDecodingContainer(RecordKeyedContainer<Key>(fields)))
  }

  /// Returns the container, for the decoding that it is lent to.
  @inline(never)
  func lentContainer() -> Container { container }
}
