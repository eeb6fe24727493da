package import HearthDocumentModel

/// The sum and the average of the numbers among some values (§9.1).
///
/// Integers are added exactly, in twice their width, so that only the final sum decides whether the
/// result is an integer. Doubles are added in order: a sum that leaves their range stays infinite,
/// and NaN stays NaN.
package struct NumberTotal: Sendable {
  private var integers: Int128 = 0
  private var doubles: Double = 0
  private var integerCount = 0
  private var doubleCount = 0

  package init() {}

  package mutating func add(_ value: Value) {
    switch value {
    case .integer(let number):
      // 2^64 of the greatest integers would not overflow it.
      integers &+= Int128(number)
      integerCount += 1
    case .double(let number):
      doubles += number
      doubleCount += 1
    default: break
    }
  }

  /// The sum: a double if any number is one, or if the sum of the integers exceeds their range;
  /// integer 0 for no numbers.
  package var sum: Value {
    if doubleCount == 0, let exact = Int64(exactly: integers) { return .integer(exact) }
    return .double(sumAsDouble)
  }

  /// The average as a double; null for no numbers.
  package var average: Value {
    let count = integerCount + doubleCount
    return count == 0 ? .null : .double(sumAsDouble / Double(count))
  }

  private var sumAsDouble: Double { Double(integers) + doubles }
}
