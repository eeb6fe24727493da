// The arithmetic of transforms (§7.3): pure, a value in and a value out.

extension FieldTransform.Operation {
  /// Returns the field's value after the transform in a commit at `commitTime`. `value` is the
  /// value before it, `nil` for an absent field.
  ///
  /// - Complexity: for arrays, sorting the elements of the field and of the operand.
  package func applied(to value: Value?, at commitTime: Timestamp) -> Value {
    switch self {
    case .serverTimestamp: .timestamp(commitTime.wholeMilliseconds)
    case .increment(let operand): number(value).map { Value.sum($0, operand) } ?? operand
    case .maximum(let operand): number(value).map { $0.extreme(operand, .less) } ?? operand
    case .minimum(let operand): number(value).map { $0.extreme(operand, .greater) } ?? operand
    case .arrayUnion(let operands): .array(elements(value).appendingMissing(operands))
    case .arrayRemove(let operands): .array(elements(value).removing(operands))
    }
  }

  /// Returns the value that a write reports for the transform: `newValue`, or null for the
  /// transforms of arrays.
  package func result(of newValue: Value) -> Value {
    switch self {
    case .serverTimestamp, .increment, .maximum, .minimum: newValue
    case .arrayUnion, .arrayRemove: .null
    }
  }

  private func number(_ value: Value?) -> Value? {
    guard let value, value.typeClass == .number else { return nil }
    return value
  }

  private func elements(_ value: Value?) -> [Value] {
    if case .array(let elements)? = value { elements } else { [] }
  }
}

// MARK: - Numbers

extension Value {
  /// Returns the sum. Integers stop at the ends of 64 bits; with a double it is a sum of doubles.
  fileprivate static func sum(_ left: Value, _ right: Value) -> Value {
    guard case .integer(let left) = left, case .integer(let right) = right else {
      return .double(left.approximateNumber + right.approximateNumber)
    }
    let (sum, overflow) = left.addingReportingOverflow(right)
    guard overflow else { return .integer(sum) }
    return .integer(left < 0 ? .min : .max)
  }

  /// Returns `operand` if this number compares to it as `order`, otherwise this number. Equal
  /// numbers so keep the type of this one. Returns NaN if either is NaN.
  fileprivate func extreme(_ operand: Value, _ order: Ordering) -> Value {
    if isNaN { return self }
    if operand.isNaN { return operand }
    return compare(operand) == order ? operand : self
  }

  private var approximateNumber: Double {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: .nan
    }
  }
}

extension Timestamp {
  /// The time rounded down to the millisecond, which is the value of a server timestamp (§7.3).
  package var wholeMilliseconds: Timestamp {
    let rest = microseconds % 1000
    let floor = microseconds - (rest < 0 ? rest + 1000 : rest)
    // The years begin on a whole millisecond, so the floor of a time in range is in range.
    return (try? Timestamp(microseconds: floor)) ?? .minimum
  }
}

// MARK: - Arrays

extension [Value] {
  /// Returns the elements, followed by each operand that equals no element before it, by §2.4's
  /// equality.
  fileprivate func appendingMissing(_ operands: [Value]) -> [Value] {
    let all = self + operands
    // The sort keeps equal elements in their order, so the first of a run is the one to keep.
    let sorted = all.indices.sorted { all[$0].compare(all[$1]) == .less }
    var isFirst = [Bool](repeating: true, count: all.count)
    for (before, index) in zip(sorted, sorted.dropFirst()) {
      isFirst[index] = all[before].compare(all[index]) != .equal
    }
    return all.indices.filter { $0 < count || isFirst[$0] }.map { all[$0] }
  }

  /// Returns the elements that equal none of the operands.
  fileprivate func removing(_ operands: [Value]) -> [Value] {
    let removed = operands.sorted { $0.compare($1) == .less }
    return filter { !removed.contains(sorted: $0) }
  }

  private func contains(sorted value: Value) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      switch self[middle].compare(value) {
      case .less: low = middle + 1
      case .greater: high = middle
      case .equal: return true
      }
    }
    return false
  }
}
