extension JSONReader {
  /// Reads a number. A whole number that 64 bits hold, without fraction and exponent, becomes an
  /// integer; any other becomes the nearest double. -0 is a double, as no integer has that sign.
  mutating func readNumber<T: JSONBuildable>() throws(JSONError) -> T {
    let start = offset
    let isNegative = nextByte == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let wholeStart = offset
    let magnitude = try readDigits()
    guard bytes[wholeStart] != UInt8(ascii: "0") || offset == wholeStart + 1 else {
      throw error("a number has no leading zeros", at: start)
    }
    var isWhole = true
    if nextByte == UInt8(ascii: ".") {
      isWhole = false
      offset += 1
      _ = try readDigits()
    }
    if nextByte == UInt8(ascii: "e") || nextByte == UInt8(ascii: "E") {
      isWhole = false
      offset += 1
      if nextByte == UInt8(ascii: "+") || nextByte == UInt8(ascii: "-") { offset += 1 }
      _ = try readDigits()
    }
    if isWhole, let magnitude, let integer = signed(magnitude, isNegative) {
      return .integer(integer)
    }
    return .double(try double(start..<offset))
  }

  /// Reads one or more digits, and returns their value; `nil` if 64 bits don't hold it.
  private mutating func readDigits() throws(JSONError) -> UInt64? {
    var value: UInt64? = 0
    let start = offset
    while let byte = nextByte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      let (product, overflow) = (value ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      value = value == nil || overflow || carry ? nil : sum
      offset += 1
    }
    guard offset > start else { throw error("a digit is missing from this number") }
    return value
  }

  private func signed(_ magnitude: UInt64, _ isNegative: Bool) -> Int64? {
    guard isNegative else { return Int64(exactly: magnitude) }
    guard magnitude > 0, magnitude <= 1 << 63 else { return nil }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }

  private func double(_ range: Range<Int>) throws(JSONError) -> Double {
    guard let value = Double(try text(range)), value.isFinite else {
      throw error("this number is too large for a double", at: range.lowerBound)
    }
    return value
  }
}
