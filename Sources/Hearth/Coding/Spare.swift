import Synchronization

/// A place for one object that waits to be used again, by whichever thread comes first.
final class Spare<Item: AnyObject>: Sendable {
  private let parked = Atomic<UInt>(0)

  /// The object, which belongs to the caller from now on.
  func take() -> Item? {
    // Nobody waits for another's turn: who finds nothing makes an object of its own.
    let bits = parked.exchange(0, ordering: .acquiring)
    return UnsafeRawPointer(bitPattern: bits).map {
      Unmanaged<Item>.fromOpaque($0).takeRetainedValue()
    }
  }

  /// Keeps an object, which no one else may have, in place of one that may be kept already.
  func put(_ item: Item) {
    let bits = UInt(bitPattern: Unmanaged.passRetained(item).toOpaque())
    release(parked.exchange(bits, ordering: .acquiringAndReleasing))
  }

  deinit { release(parked.load(ordering: .acquiring)) }

  private func release(_ bits: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return }
    Unmanaged<Item>.fromOpaque(pointer).release()
  }
}
