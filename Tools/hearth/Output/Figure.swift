/// Numbers as people read them, the same in every locale.
package enum Figure {
  /// Formats a count: `34,006`.
  package static func count(_ number: some BinaryInteger) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// Formats a number of documents: `1 document`, `34,006 documents`.
  package static func documents(_ count: Int) -> String { counted(count, "document") }

  /// Formats a count with its noun: `1 index entry`, `1,234 index entries`.
  package static func counted(
    _ count: Int, _ noun: String, _ nouns: String? = nil
  ) -> String {
    "\(self.count(count)) \(count == 1 ? noun : nouns ?? noun + "s")"
  }

  /// Formats a time with three significant digits: `850 ns`, `12.3 µs`, `1.20 ms`, `95.0 s`.
  package static func duration(nanoseconds: some BinaryInteger) -> String {
    let nanoseconds = Double(nanoseconds)
    let units: [(size: Double, name: String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
    // A number that rounds up to the next unit is written in that unit.
    for unit in units where nanoseconds >= unit.size * 0.9995 {
      return "\(threeDigits(nanoseconds / unit.size)) \(unit.name)"
    }
    return "\(Int(nanoseconds)) ns"
  }

  /// Formats a computed time in the same way. A negative time and NaN are 0.
  static func duration(nanoseconds: Double) -> String {
    duration(nanoseconds: Int64(max(0, nanoseconds.isNaN ? 0 : min(nanoseconds, 9e18))))
  }

  /// Formats a rate: `1,234,567/s`, `12.3/s`, `0.25/s`.
  package static func rate(_ perSecond: Double) -> String {
    guard perSecond.isFinite else { return "-/s" }
    return perSecond < 100
      ? "\(threeDigits(perSecond))/s" : "\(count(Int64(min(perSecond.rounded(), 1e15))))/s"
  }

  /// Formats minutes and seconds, and hours if there are any: `0:07`, `12:00`, `1:02:03`.
  package static func clock(seconds: Double) -> String {
    let seconds = Int64(min(max(seconds.rounded(.up), 0), 1e9))
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let tail = twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  /// Formats the time of a stall: `stalled 45 s`.
  package static func stall(seconds: Double) -> String {
    "stalled \(Int64(min(max(seconds.rounded(), 0), 1e9))) s"
  }

  /// Formats a share: `41%`. 100% appears only when all is done.
  package static func percent(_ fraction: Double) -> String {
    fraction.isFinite ? "\(Int(min(max(fraction, 0), 1) * 100))%" : "0%"
  }

  /// Formats a number of bytes: `512 bytes`, `1.50 KiB`, `120 MiB`.
  package static func bytes(_ byteCount: Int) -> String {
    var size = Double(byteCount)
    guard size >= 1024 else { return byteCount == 1 ? "1 byte" : "\(byteCount) bytes" }
    for unit in ["KiB", "MiB", "GiB"] {
      size /= 1024
      if size < 999.5 { return "\(threeDigits(size)) \(unit)" }
    }
    return "\(threeDigits(size / 1024)) TiB"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// Formats a number with three significant digits: `0.25`, `1.20`, `12.3`, `123`.
  static func threeDigits(_ number: Double) -> String {
    let decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0
    let scale = [1.0, 10, 100][decimals]
    let scaled = Int64(max(min((number * scale).rounded(), 1e15), -1e15))
    let whole = count(scaled / Int64(scale))
    guard decimals > 0 else { return whole }
    let fraction = String(scaled % Int64(scale))
    return whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
