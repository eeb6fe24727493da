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
  /// The container that was lent last. Each knows the one that was lent before it.
  @exclusivity(unchecked) private(set) var lastLent: Unmanaged<ReusableContainer>?
  @exclusivity(unchecked) private var lentCount = 0
  /// Whether a container was kept by a type, so that none can be reused for other documents.
  @exclusivity(unchecked) private var isShared = false

  /// Maximum number of containers that are used again, as each is found by a linear search.
  private static let limit = 64

  deinit { removeAll() }

  private func removeAll() {
    for container in all { container.release() }
    all = []
    lastLent = nil
    lentCount = 0
  }

  /// Whether further containers will be used once only.
  var isFull: Bool { all.count >= KeyedContainers.limit }

  /// Lends a container with keys of a type; returns `nil` if there is none.
  @inline(__always)
  func lend(keyedBy keyType: ObjectIdentifier) -> Unmanaged<ReusableContainer>? {
    guard lentCount < KeyedContainers.limit else { return nil }
    for index in 0..<min(all.count, KeyedContainers.limit) {
      let container = all[index]
      guard container._withUnsafeGuaranteedRef({ $0.keyType == keyType && !$0.isLent }) else {
        continue
      }
      noteLent(container)
      return container
    }
    return nil
  }

  @inline(__always)
  private func noteLent(_ container: Unmanaged<ReusableContainer>) {
    container._withUnsafeGuaranteedRef {
      $0.isLent = true
      $0.lentBefore = lastLent
    }
    lastLent = container
    lentCount &+= 1
  }

  /// Adds a container and lends it.
  func lend(new container: ReusableContainer) {
    all.append(.passRetained(container))
    noteLent(.passUnretained(container))
  }

  /// Takes back the containers that were lent after `last`; all for `nil`.
  func takeBack(downTo last: Unmanaged<ReusableContainer>?) {
    while let container = lastLent, container.toOpaque() != last?.toOpaque() {
      lentCount &-= 1
      container._withUnsafeGuaranteedRef {
        lastLent = $0.lentBefore
        if $0.isUnshared() {
          $0.fields.end()
          $0.isLent = false
        } else {
          KeptContainers.keep($0)
          isShared = true
        }
      }
    }
  }

  /// Ends a decoding.
  ///
  /// - Returns: whether the containers can be used for another one.
  func end() -> Bool {
    takeBack(downTo: nil)
    guard !isShared else {
      // Code that keeps a container may keep the decoding, and so this object.
      removeAll()
      return false
    }
    while all.count > KeyedContainers.limit { all.removeLast().release() }
    return true
  }
}

/// A container that can be lent many times, with different fields each time.
class ReusableContainer {
  let keyType: ObjectIdentifier
  /// Fields that the container shows.
  let fields: KeyedFields
  @exclusivity(unchecked) fileprivate var isLent = false
  /// The container that was lent before this one.
  @exclusivity(unchecked) fileprivate var lentBefore: Unmanaged<ReusableContainer>?
  /// The box that the container refers to, kept alive by the subclass.
  @exclusivity(unchecked) private var box: Unmanaged<ContainerBox>

  fileprivate init(_ keyType: ObjectIdentifier, _ fields: KeyedFields, box: AnyObject) {
    self.keyType = keyType
    self.fields = fields
    self.box = .fromOpaque(Unmanaged.passUnretained(box).toOpaque())
  }

  /// Whether nothing else refers to the container.
  func isUnshared() -> Bool {
    withUnsafeMutablePointer(to: &box) {
      $0.withMemoryRebound(to: ContainerBox.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}

/// A name for the standard library's box of a container, whose references are counted and which is
/// never looked into. `AnyObject` wouldn't do: in builds without optimization, the look at a
/// reference's count would count another one.
private final class ContainerBox {}

/// A reusable container of one type. The parameter is the container and not its keys, so that
/// copying it needs no look-up.
final class ReusableContainerOf<Container>: ReusableContainer {
  private let container: Container

  private init(_ keyType: ObjectIdentifier, _ fields: KeyedFields, _ container: Container) {
    self.container = container
    // The standard library's container is a single reference.
    super.init(keyType, fields, box: unsafeBitCast(container, to: AnyObject.self))
  }

  /// Makes a container for the keys of a type.
  static func make<Key: CodingKey>(
    keyedBy type: Key.Type, _ fields: KeyedFields
  ) -> ReusableContainerOf where Container == KeyedDecodingContainer<Key> {
    ReusableContainerOf(
      ObjectIdentifier(type), fields, KeyedDecodingContainer(RecordKeyedContainer<Key>(fields)))
  }

  /// Returns the container, for the decoding that it is lent to.
  @inline(never)
  func lentContainer() -> Container { container }
}
