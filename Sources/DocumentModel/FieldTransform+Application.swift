// The arithmetic of transforms (§7.3): pure, a value in and a value out.

extension FieldTransform.Operation {
  /// What the transform makes of a field that has `value`, or `nil` for none, in a commit of that
  /// time.
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

  /// What a write reports of the transform: nothing for those of arrays.
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
  /// Integers stop at the ends of 64 bits; with a double it is a sum of doubles.
  fileprivate static func sum(_ left: Value, _ right: Value) -> Value {
    guard case .integer(let left) = left, case .integer(let right) = right else {
      return .double(left.approximateNumber + right.approximateNumber)
    }
    let (sum, overflow) = left.addingReportingOverflow(right)
    guard overflow else { return .integer(sum) }
    return .integer(left < 0 ? .min : .max)
  }

  /// `operand` if this number stands in `order` to it, otherwise this number, which so keeps its
  /// type where both are equal; NaN if one of them is.
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
  /// The millisecond that the time lies in, which is what server timestamps tell (§7.3).
  fileprivate var wholeMilliseconds: Timestamp {
    let rest = microseconds % 1000
    let floor = microseconds - (rest < 0 ? rest + 1000 : rest)
    // The years begin on a whole millisecond, so the floor of a time in range is in range.
    return (try? Timestamp(microseconds: floor)) ?? .minimum
  }
}

// MARK: - Arrays

extension [Value] {
  /// The elements, and behind them each operand that equals none before it, by §2.4's equality.
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

  /// The elements that equal none of the operands.
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
