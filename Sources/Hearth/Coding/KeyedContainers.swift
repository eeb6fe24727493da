/// The keyed containers of earlier decodings, to be used again: making one costs as much as
/// decoding several fields, most of it the runtime's look-up of generic types.
///
/// They are lent in the order of the calls of `init(from:)` that ask for them, and taken back when
/// such a call is over. One that the call has kept for later stays lent.
final class KeyedContainers {
  /// They belong to this object, which counts no references to them as it goes through them.
  @exclusivity(unchecked) private var all: [Unmanaged<ReusableContainer>] = []
  /// Where those stand that are lent, the latest last.
  @exclusivity(unchecked) private var lent: [Int] = []
  /// Whether someone keeps a container, so that these are of no use for other documents.
  @exclusivity(unchecked) private var isShared = false

  /// More than this are not lent, since each is looked for among all.
  private static let limit = 64

  deinit { removeAll() }

  private func removeAll() {
    for container in all { container.release() }
    all = []
    lent = []
  }

  var lentCount: Int { lent.count }

  /// Whether no other container may be added.
  var isFull: Bool { all.count >= KeyedContainers.limit }

  /// Lends a container whose keys are of that type, if one is there.
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

  /// Adds a container and lends it, where there is room.
  func lend(new container: ReusableContainer) {
    container.isLent = true
    lent.append(all.count)
    all.append(.passRetained(container))
  }

  /// Takes back all containers but the first `count` that were lent.
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

  /// Ends a decoding, and says whether the containers may be used for another.
  func end() -> Bool {
    takeBack(downTo: 0)
    guard !isShared else {
      // Who keeps a container may keep the decoding, and so this.
      removeAll()
      return false
    }
    return true
  }
}

/// A container that can be lent again and again, with other fields in it.
class ReusableContainer {
  let keyType: ObjectIdentifier
  /// What the container shows.
  let fields: KeyedFields
  @exclusivity(unchecked) var isLent = false
  /// The box that the container is a reference to, which the subclass keeps.
  @exclusivity(unchecked) private var box: Unmanaged<AnyObject>

  fileprivate init(_ keyType: ObjectIdentifier, _ fields: KeyedFields, box: AnyObject) {
    self.keyType = keyType
    self.fields = fields
    self.box = .passUnretained(box)
  }

  /// Whether nobody else has the container.
  fileprivate func isUnshared() -> Bool {
    withUnsafeMutablePointer(to: &box) {
      $0.withMemoryRebound(to: AnyObject.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}

/// The parameter is the container and not its keys, so that copying it needs no look-up.
final class ReusableContainerOf<Container>: ReusableContainer {
  private let container: Container

  private init(_ keyType: ObjectIdentifier, _ fields: KeyedFields, _ container: Container) {
    self.container = container
    super.init(keyType, fields, box: unsafeBitCast(container, to: AnyObject.self))
  }

  /// - Returns: `nil` if the standard library's container is no longer one reference.
  static func make<Key: CodingKey>(
    keyedBy type: Key.Type, _ fields: KeyedFields
  ) -> ReusableContainerOf? where Container == KeyedDecodingContainer<Key> {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    return ReusableContainerOf(
      ObjectIdentifier(type), fields, KeyedDecodingContainer(RecordKeyedContainer<Key>(fields)))
  }

  /// The container, for the one that it is lent to.
  @inline(never)
  func lentContainer() -> Container { container }
}
