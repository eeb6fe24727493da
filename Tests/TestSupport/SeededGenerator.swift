import Glibc

/// A random number generator that is determined by its seed (SplitMix64).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed &>> 31)
  }
}

extension RandomNumberGenerator {
  /// Returns `true` once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  /// Returns the bytes of a record with one byte changed, or without those from it on.
  package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let index = Int.random(in: 0..<bytes.count, using: &self)
    if oneIn(3) {
      bytes.removeSubrange(index...)
    } else {
      bytes[index] = pick([0, 1, 0x80, 0xFF])
    }
    return bytes
  }

  /// Returns one of `choices`, which must not be empty. For the rest of a store or a disk, which
  /// may be empty, use `randomElement(using:)`.
  package mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element {
    let distance = Int.random(in: 0..<choices.count, using: &self)
    return choices[choices.index(choices.startIndex, offsetBy: distance)]
  }
}

/// The number of cases of a generated test, and its seed.
///
/// `Tools/seeds` runs every test that calls ``seed(for:count:of:)``.
package enum GeneratedCases {
  /// `HEARTH_CASES`, or 10,000.
  package static let count = count(unlessTold: 10_000)

  /// Returns `HEARTH_CASES`, or `count` if it isn't set.
  ///
  /// - Parameter variable: the variable of tests whose cases are larger, such as kills.
  package static func count(of variable: String = "HEARTH_CASES", unlessTold count: Int) -> Int {
    environment(variable).flatMap { Int($0) }.map { min(max($0, 0), 1 << 40) } ?? count
  }

  /// Returns the number of larger cases, such as databases of some queries each, that `count` cases
  /// make: at least one.
  package static func count(per share: Int, of count: Int = count) -> Int {
    (count + share - 1) / share
  }

  /// Whether the mix of this number of cases follows from their generator. The mix of a few follows
  /// from the seed, so tests expect nothing of it.
  package static func areMany(_ count: Int = count) -> Bool { count >= 5_000 }

  /// Returns `HEARTH_SEED`, or a new seed for every run. The seed is printed, so that a failure can
  /// be run again.
  package static func seed(
    for test: String = #function, count: Int = count, of variable: String = "HEARTH_CASES"
  ) -> UInt64 {
    let seed =
      environment("HEARTH_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let name = test.prefix { $0 != "(" }
    print("Again: HEARTH_SEED=\(seed) \(variable)=\(count) Tools/test --filter \(name)")
    // Before the process may end.
    fflush(nil)
    return seed
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
