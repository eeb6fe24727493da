package import DocumentModel

/// Consecutive values of one type class (§2.5).
package struct ValueRange: Sendable, Equatable {
  package struct Bound: Sendable, Equatable {
    package var value: Value
    package var isInclusive: Bool

    package init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }

  package var typeClass: Value.TypeClass
  /// `nil` reaches down to the first value of the class; NaN is no part of a range of numbers.
  package var lower: Bound?
  /// `nil` reaches up to the last value of the class.
  package var upper: Bound?

  package init(_ typeClass: Value.TypeClass, lower: Bound? = nil, upper: Bound? = nil) {
    self.typeClass = typeClass
    self.lower = lower
    self.upper = upper
  }

  /// What is above `value` and of its class.
  package init(from value: Value, isInclusive: Bool) {
    self.init(value.typeClass, lower: Bound(value, isInclusive: isInclusive))
  }

  /// What is below `value` and of its class.
  package init(upTo value: Value, isInclusive: Bool) {
    self.init(value.typeClass, upper: Bound(value, isInclusive: isInclusive))
  }

  package static func point(_ value: Value) -> ValueRange {
    let bound = Bound(value, isInclusive: true)
    return ValueRange(value.typeClass, lower: bound, upper: bound)
  }

  /// The one value that the range holds, where its bounds are the same.
  package var point: Value? {
    guard let lower, let upper, lower.isInclusive, upper.isInclusive,
      lower.value.compare(upper.value) == .equal
    else { return nil }
    return lower.value
  }

  /// Whether the bounds leave nothing between them.
  package var isEmpty: Bool {
    guard let lower, let upper else { return false }
    switch lower.value.compare(upper.value) {
    case .less: return false
    case .equal: return !(lower.isInclusive && upper.isInclusive)
    case .greater: return true
    }
  }

  /// By the exact order of values, without an index's cut.
  package func contains(_ value: Value) -> Bool {
    guard value.typeClass == typeClass else { return false }
    if value.isNaN { return point?.isNaN ?? false }
    if let lower {
      let order = value.compare(lower.value)
      guard order == .greater || (order == .equal && lower.isInclusive) else { return false }
    }
    if let upper {
      let order = value.compare(upper.value)
      guard order == .less || (order == .equal && upper.isInclusive) else { return false }
    }
    return true
  }

  /// The values in both ranges, or `nil` where there are none.
  package func intersection(_ other: ValueRange) -> ValueRange? {
    guard typeClass == other.typeClass else { return nil }
    var result = self
    if let bound = other.lower {
      result.lower = lower.map { $0.tightest(bound, keep: .greater) } ?? bound
    }
    if let bound = other.upper {
      result.upper = upper.map { $0.tightest(bound, keep: .less) } ?? bound
    }
    return result.isEmpty ? nil : result
  }
}

extension ValueRange.Bound {
  /// The bound whose value is the greater or the less one; of equal values the exclusive one.
  fileprivate func tightest(_ other: ValueRange.Bound, keep side: Ordering) -> ValueRange.Bound {
    switch value.compare(other.value) {
    case .equal: isInclusive ? other : self
    case side: self
    default: other
    }
  }
}
