extension Value {
  /// Compares by the total order of all values (§2.2, §2.3), which sorting, filters and cursors
  /// follow.
  ///
  /// Integers and doubles are compared by exact mathematical value; 1 equals 1.0 and 0.0 equals
  /// -0.0; NaN equals NaN and lies below every number.
  public func compare(_ other: Value) -> Ordering {
    var comparison = ValueComparison(budget: .max)
    return comparison.order(self, other)
  }

  /// Compares by the order of indexes: values that agree up to the point where an index cuts them
  /// are equal (§3.6).
  public func compareAsIndexed(_ other: Value) -> Ordering {
    var comparison = ValueComparison(budget: Limits.indexedValueByteCount)
    return comparison.order(self, other)
  }

  /// Whether an index holds only the beginning of the value (§3.6).
  package var isCutByIndexes: Bool {
    var comparison = ValueComparison(budget: Limits.indexedValueByteCount)
    _ = comparison.order(self, self)
    return comparison.isCut
  }
}

/// Compares two values side by side within a budget of bytes.
///
/// Both sides are equal up to the current part, so one budget serves both. When it is spent and
/// both sides have more, they are cut there and count as equal. `isCut` then ends the whole
/// comparison.
private struct ValueComparison {
  var budget: Int
  private(set) var isCut = false

  init(budget: Int) {
    self.budget = budget
  }

  mutating func order(_ left: Value, _ right: Value) -> Ordering {
    switch (left, right) {
    case (.null, .null): return scalar(.equal, cost: 1)
    case (.boolean(let left), .boolean(let right)):
      return scalar(Ordering(left ? 1 : 0, right ? 1 : 0), cost: 1)
    case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double):
      return scalar(numberOrder(left, right), cost: 8)
    case (.timestamp(let left), .timestamp(let right)):
      return scalar(Ordering(left, right), cost: 8)
    case (.string(let left), .string(let right)):
      return bytes(left.utf8.span.bytes, right.utf8.span.bytes)
    case (.bytes(let left), .bytes(let right)): return bytes(left.span.bytes, right.span.bytes)
    case (.reference(let left), .reference(let right)): return names(left, right)
    case (.geoPoint(let left), .geoPoint(let right)):
      let latitude = doubleOrder(left.latitude, right.latitude)
      return scalar(
        latitude != .equal ? latitude : doubleOrder(left.longitude, right.longitude), cost: 16)
    case (.array(let left), .array(let right)): return arrays(left, right)
    case (.vector(let left), .vector(let right)): return vectors(left, right)
    case (.map(let left), .map(let right)): return maps(left, right)
    default: return Ordering(left.typeClass, right.typeClass)
    }
  }

  private mutating func scalar(_ order: Ordering, cost: Int) -> Ordering {
    budget -= cost
    return order
  }

  /// Returns the order if a side has ended or both are cut; `nil` if another part follows.
  private mutating func orderBeforePart(_ leftHasMore: Bool, _ rightHasMore: Bool) -> Ordering? {
    guard leftHasMore, rightHasMore else {
      return Ordering(leftHasMore ? 1 : 0, rightHasMore ? 1 : 0)
    }
    guard budget <= 0 else { return nil }
    isCut = true
    return .equal
  }

  private mutating func bytes(_ left: RawSpan, _ right: RawSpan) -> Ordering {
    let shared = min(left.byteCount, right.byteCount, budget)
    let order = left.extracting(first: shared).compare(right.extracting(first: shared))
    budget -= shared
    if order != .equal { return order }
    let leftHasMore = left.byteCount > shared
    let rightHasMore = right.byteCount > shared
    isCut = isCut || (leftHasMore && rightHasMore)
    return Ordering(leftHasMore ? 1 : 0, rightHasMore ? 1 : 0)
  }

  private mutating func names(_ left: DocumentName, _ right: DocumentName) -> Ordering {
    let order = left.database.compare(right.database)
    if order != .equal { return order }
    let (leftSegments, rightSegments) = (left.path.segments, right.path.segments)
    return sequence(leftSegments.count, rightSegments.count) { comparison, index in
      comparison.bytes(
        leftSegments[index].utf8.span.bytes, rightSegments[index].utf8.span.bytes)
    }
  }

  private mutating func arrays(_ left: [Value], _ right: [Value]) -> Ordering {
    sequence(left.count, right.count) { $0.order(left[$1], right[$1]) }
  }

  private mutating func vectors(_ left: [Double], _ right: [Double]) -> Ordering {
    let order = Ordering(left.count, right.count)
    if order != .equal { return order }
    return sequence(left.count, right.count) {
      $0.scalar(doubleOrder(left[$1], right[$1]), cost: 8)
    }
  }

  private mutating func maps(_ left: MapValue, _ right: MapValue) -> Ordering {
    sequence(left.count, right.count) { comparison, index in
      let order = comparison.bytes(
        left[index].name.utf8.span.bytes, right[index].name.utf8.span.bytes)
      if order != .equal || comparison.isCut { return order }
      return comparison.orderBeforePart(true, true)
        ?? comparison.order(left[index].value, right[index].value)
    }
  }

  /// Compares part by part. If all shared parts are equal, the shorter side is first.
  private mutating func sequence(
    _ leftCount: Int, _ rightCount: Int,
    part: (inout ValueComparison, Int) -> Ordering
  ) -> Ordering {
    var index = 0
    while true {
      if let order = orderBeforePart(index < leftCount, index < rightCount) { return order }
      let order = part(&self, index)
      if order != .equal || isCut { return order }
      index += 1
    }
  }
}

private func numberOrder(_ left: Value, _ right: Value) -> Ordering {
  switch (left, right) {
  case (.integer(let left), .integer(let right)): Ordering(left, right)
  case (.integer(let left), .double(let right)): doubleOrder(right, left).reversed
  case (.double(let left), .integer(let right)): doubleOrder(left, right)
  case (.double(let left), .double(let right)): doubleOrder(left, right)
  default: .equal
  }
}

private func doubleOrder(_ left: Double, _ right: Double) -> Ordering {
  if left < right { return .less }
  if left > right { return .greater }
  if left == right { return .equal }
  return Ordering(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)
}

/// Compares exactly: the whole part decides in integers, then the fraction (§2.3).
private func doubleOrder(_ left: Double, _ right: Int64) -> Ordering {
  if left.isNaN || left < -0x1p63 { return .less }
  if left >= 0x1p63 { return .greater }
  let whole = Int64(left)
  return whole != right ? Ordering(whole, right) : Ordering(left, Double(whole))
}
