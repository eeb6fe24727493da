/// A set of a conjunction's constraints, by their positions in ``IndexRequirement/constraints``.
///
/// A query has at most 100 filters (§1.2), so one word holds any set of them.
struct ConstraintSet: Equatable {
  private var bits: UInt128 = 0

  init() {}

  /// Creates a set of the first `count` constraints.
  init(first count: Int) {
    bits = (1 << UInt128(count)) &- 1
  }

  /// Creates a set of one constraint.
  init(_ index: Int) {
    insert(index)
  }

  var isEmpty: Bool { bits == 0 }
  var count: Int { bits.nonzeroBitCount }

  func contains(_ index: Int) -> Bool { bits & (1 << UInt128(index)) != 0 }

  mutating func insert(_ index: Int) {
    bits |= 1 << UInt128(index)
  }

  func union(_ other: ConstraintSet) -> ConstraintSet { with(bits | other.bits) }

  func intersection(_ other: ConstraintSet) -> ConstraintSet { with(bits & other.bits) }

  func subtracting(_ other: ConstraintSet) -> ConstraintSet { with(bits & ~other.bits) }

  private func with(_ bits: UInt128) -> ConstraintSet {
    var set = ConstraintSet()
    set.bits = bits
    return set
  }
}
