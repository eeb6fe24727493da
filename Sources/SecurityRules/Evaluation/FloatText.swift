/// The texts of floating-point numbers in the form of Java, which rules follow.
enum FloatText {
  /// Returns the shortest digits that give the number back: `5.0`, `0.001`, `1.0E-4`, `1.0E7`.
  static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    let sign = number.sign == .minus ? "-" : ""
    let magnitude = number.magnitude
    if magnitude == 0 { return sign + "0.0" }
    let (digits, exponent) = decimal(magnitude)
    if magnitude >= 1e-3, magnitude < 1e7 { return sign + plain(digits, exponent) }
    let rest = digits.dropFirst()
    return sign + digits.prefix(1) + "." + (rest.isEmpty ? "0" : rest) + "E\(exponent)"
  }

  /// Returns the digits without zeros at the ends, and the power of ten of the first one.
  private static func decimal(_ magnitude: Double) -> (digits: String, exponent: Int) {
    let parts = magnitude.description.split(separator: "e")
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = halves[0]
    let all = whole + (halves.count > 1 ? halves[1] : "")
    let zeroCount = all.prefix { $0 == "0" }.count
    exponent += whole.count - 1 - zeroCount
    var digits = all.dropFirst(zeroCount)
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return (String(digits), exponent)
  }

  private static func plain(_ digits: String, _ exponent: Int) -> String {
    if exponent < 0 {
      return "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    let wholeCount = exponent + 1
    let whole = digits.prefix(wholeCount)
    let fraction = digits.dropFirst(wholeCount)
    return whole + String(repeating: "0", count: wholeCount - whole.count) + "."
      + (fraction.isEmpty ? "0" : fraction)
  }

  /// Reads a number: blanks around it, an exponent, hexadecimal digits with a binary exponent, and
  /// a letter for the type after it are allowed.
  static func number(_ text: String) -> Double? {
    var letters = Array(text.utf8)[...]
    while let first = letters.first, first <= 0x20 { letters.removeFirst() }
    while let last = letters.last, last <= 0x20 { letters.removeLast() }
    let unsigned = letters.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard letters.count - unsigned.count <= 1 else { return nil }
    let isNegative = letters.first == UInt8(ascii: "-")
    switch String(decoding: unsigned, as: UTF8.self) {
    case "NaN": return .nan
    case "Infinity": return isNegative ? -.infinity : .infinity
    default: break
    }
    var digits = unsigned
    if let last = digits.last, "fFdD".utf8.contains(last) { digits.removeLast() }
    let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
    let exponentLetters = isHexadecimal ? "pP" : "eE"
    guard isHexadecimal == digits.contains(where: "pP".utf8.contains),
      digits.dropFirst(isHexadecimal ? 2 : 0).allSatisfy({
        isPart($0, isHexadecimal) || exponentLetters.utf8.contains($0)
      })
    else { return nil }
    return Double(String(decoding: padded(digits), as: UTF8.self)).map { isNegative ? -$0 : $0 }
  }

  private static func isPart(_ letter: UInt8, _ isHexadecimal: Bool) -> Bool {
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      isHexadecimal
    default: false
    }
  }

  /// Returns the digits with a zero where a point stands without digits on one side.
  private static func padded(_ digits: ArraySlice<UInt8>) -> [UInt8] {
    guard let point = digits.firstIndex(of: UInt8(ascii: ".")) else { return Array(digits) }
    let isDigit = { (index: Int) -> Bool in
      digits.indices.contains(index) && isPart(digits[index], true)
        && !"+-.".utf8.contains(digits[index])
    }
    var result = Array(digits[..<point])
    // A point needs a digit on one side.
    guard isDigit(point - 1) || isDigit(point + 1) else { return [] }
    if !isDigit(point - 1) { result.append(UInt8(ascii: "0")) }
    result.append(UInt8(ascii: "."))
    if !isDigit(point + 1) { result.append(UInt8(ascii: "0")) }
    return result + digits[(point + 1)...]
  }
}
