import Synchronization

/// A place for one spare object, which the next thread that asks takes for reuse.
final class Spare<Item: AnyObject>: Sendable {
  private let parked = Atomic<UInt>(0)

  /// Takes the object, which then belongs to the caller; returns `nil` if there is none.
  func take() -> Item? {
    // No thread waits for another: a thread that finds no object makes its own.
    let bits = parked.exchange(0, ordering: .acquiring)
    return UnsafeRawPointer(bitPattern: bits).map {
      Unmanaged<Item>.fromOpaque($0).takeRetainedValue()
    }
  }

  /// Keeps an object instead of the one kept before. No other reference to it may be used.
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
