import Glibc

/// A random number generator whose whole future follows from its seed (SplitMix64).
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
  /// `true` once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  /// One of `choices`, which the caller knows not to be empty: of what a store or a disk has left,
  /// `randomElement(using:)` takes one or none.
  package mutating func pick<C: RandomAccessCollection>(_ choices: C) -> C.Element {
    let distance = Int.random(in: 0..<choices.count, using: &self)
    return choices[choices.index(choices.startIndex, offsetBy: distance)]
  }
}

/// How many cases a generated test runs, and from which seed.
///
/// `Tools/seeds` runs every test that calls ``seed(for:count:of:)``.
package enum GeneratedCases {
  /// `HEARTH_CASES`, or 10,000.
  package static let count = count(unlessTold: 10_000)

  /// `HEARTH_CASES`, or `count`.
  ///
  /// - Parameter variable: the variable of tests whose cases are something larger, such as kills.
  package static func count(of variable: String = "HEARTH_CASES", unlessTold count: Int) -> Int {
    environment(variable).flatMap { Int($0) }.map { min(max($0, 0), 1 << 40) } ?? count
  }

  /// How many larger cases the cases make up, such as databases of some queries each: one at least.
  package static func count(per share: Int, of count: Int = count) -> Int {
    (count + share - 1) / share
  }

  /// Whether so many cases have a mix that follows from their generator: that of a few follows from
  /// the seed, so nothing is expected of it.
  package static func areMany(_ count: Int = count) -> Bool { count >= 5_000 }

  /// `HEARTH_SEED`, or a new seed for every run; printed, so that a failure can be run again.
  package static func seed(
    for test: String = #function, count: Int = count, of variable: String = "HEARTH_CASES"
  ) -> UInt64 {
    let seed =
      environment("HEARTH_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let name = test.prefix { $0 != "(" }
    print("Again: HEARTH_SEED=\(seed) \(variable)=\(count) Tools/test --filter \(name)")
    // Before anything may end the process.
    fflush(nil)
    return seed
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
