/// A generator of random numbers that repeats them for the same seed (Steele, Lea and Flood: Fast
/// Splittable Pseudorandom Number Generators, 2014).
struct SplitMix: RandomNumberGenerator {
  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Creates the state after `number` numbers, so that each can be drawn without the ones before.
  init(seed: UInt64, number: Int) {
    state = seed &+ UInt64(truncatingIfNeeded: number) &* SplitMix.step
  }

  mutating func next() -> UInt64 {
    state &+= SplitMix.step
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}
