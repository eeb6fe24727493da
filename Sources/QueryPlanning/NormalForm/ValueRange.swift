package import HearthDocumentModel

/// A range of consecutive values in the order of §2.2. A range filter's range is of one type class
/// (§2.5); the ranges of `!=` and `not-in` may span several.
package struct ValueRange: Sendable, Equatable {
  package struct Bound: Sendable, Equatable {
    package var value: Value
    package var isInclusive: Bool

    package init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }

  package var firstClass: Value.TypeClass
  package var lastClass: Value.TypeClass
  /// The lower bound, of the first class; `nil` for the class's first value. A range that begins
  /// among the numbers excludes NaN.
  package var lower: Bound?
  /// The upper bound, of the last class; `nil` for the class's last value.
  package var upper: Bound?

  package init(
    _ classes: ClosedRange<Value.TypeClass>, lower: Bound? = nil, upper: Bound? = nil
  ) {
    firstClass = classes.lowerBound
    lastClass = classes.upperBound
    self.lower = lower
    self.upper = upper
  }

  package init(_ typeClass: Value.TypeClass, lower: Bound? = nil, upper: Bound? = nil) {
    self.init(typeClass...typeClass, lower: lower, upper: upper)
  }

  /// Creates the range of `value`'s class that begins at `value`.
  package init(from value: Value, isInclusive: Bool) {
    self.init(value.typeClass, lower: Bound(value, isInclusive: isInclusive))
  }

  /// Creates the range of `value`'s class that ends at `value`.
  package init(upTo value: Value, isInclusive: Bool) {
    self.init(value.typeClass, upper: Bound(value, isInclusive: isInclusive))
  }

  /// Creates the range that a comparison selects; `nil` for one that doesn't select a single range.
  init?(_ comparison: Filter.Comparison, _ value: Value) {
    switch comparison {
    case .lessThan: self.init(upTo: value, isInclusive: false)
    case .lessThanOrEqual: self.init(upTo: value, isInclusive: true)
    case .greaterThan: self.init(from: value, isInclusive: false)
    case .greaterThanOrEqual: self.init(from: value, isInclusive: true)
    case .equal, .notEqual, .in, .notIn, .arrayContains, .arrayContainsAny: return nil
    }
  }

  package static func point(_ value: Value) -> ValueRange {
    let bound = Bound(value, isInclusive: true)
    return ValueRange(value.typeClass, lower: bound, upper: bound)
  }

  /// The only value of the range if its bounds are equal; `nil` for any other range.
  package var point: Value? {
    guard let lower, let upper, lower.isInclusive, upper.isInclusive,
      lower.value.compare(upper.value) == .equal
    else { return nil }
    return lower.value
  }

  /// Whether the bounds leave no value between them.
  package var isEmpty: Bool {
    guard firstClass == lastClass else { return firstClass > lastClass }
    guard let lower, let upper else { return false }
    switch lower.value.compare(upper.value) {
    case .less: return false
    case .equal: return !(lower.isInclusive && upper.isInclusive)
    case .greater: return true
    }
  }

  /// Whether the range contains `value`, by the exact order of values, without an index's cut.
  package func contains(_ value: Value) -> Bool {
    guard value.typeClass >= firstClass, value.typeClass <= lastClass else { return false }
    if value.isNaN, firstClass == .number { return point?.isNaN ?? false }
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

  /// Returns the values in both ranges; `nil` if there are none.
  package func intersection(_ other: ValueRange) -> ValueRange? {
    let (first, last) = (max(firstClass, other.firstClass), min(lastClass, other.lastClass))
    guard first <= last else { return nil }
    var result = ValueRange(first...last)
    for bound in [lower, other.lower] {
      guard let bound, bound.value.typeClass == first else { continue }
      result.lower = result.lower.map { $0.tightest(bound, keep: .greater) } ?? bound
    }
    for bound in [upper, other.upper] {
      guard let bound, bound.value.typeClass == last else { continue }
      result.upper = result.upper.map { $0.tightest(bound, keep: .less) } ?? bound
    }
    return result.isEmpty ? nil : result
  }
}

// Ranges that negations select (§2.4): values of all classes but null.
extension ValueRange {
  package static let notNull = [ValueRange(.boolean ... .map)]

  /// The values that are neither null nor NaN.
  package static let notNullOrNaN = [ValueRange(.boolean), ValueRange(.number ... .map)]

  /// Returns the ranges of `classes` that exclude `values`, in order.
  package static func others(
    than values: [Value], in classes: ClosedRange<Value.TypeClass> = .boolean ... .map
  ) -> [ValueRange] {
    var ranges: [ValueRange] = []
    var rest = ValueRange(classes)
    for value in values.sorted(by: { $0.compare($1) == .less }) {
      if let last = rest.lower?.value, last.compare(value) == .equal { continue }
      let bound = Bound(value, isInclusive: false)
      let below = ValueRange(rest.firstClass...value.typeClass, lower: rest.lower, upper: bound)
      if !below.isEmpty { ranges.append(below) }
      rest = ValueRange(value.typeClass...classes.upperBound, lower: bound)
    }
    return ranges + [rest]
  }
}

extension [ValueRange] {
  /// Returns the values in ranges of both lists, in order.
  package func intersection(_ others: [ValueRange]) -> [ValueRange] {
    flatMap { range in others.compactMap { range.intersection($0) } }
  }

  package func contains(_ value: Value) -> Bool { contains { $0.contains(value) } }
}

extension ValueRange.Bound {
  /// Returns the bound with the greater or the lesser value, as `side` says; of equal values, the
  /// exclusive one.
  fileprivate func tightest(_ other: ValueRange.Bound, keep side: Ordering) -> ValueRange.Bound {
    switch value.compare(other.value) {
    case .equal: isInclusive ? other : self
    case side: self
    default: other
    }
  }
}
