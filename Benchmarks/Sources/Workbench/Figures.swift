extension Double {
  /// The number with three significant digits, for tables.
  package var short: String {
    guard isFinite else { return "-" }
    let digits = self >= 100 ? 0 : self >= 10 ? 1 : self >= 1 ? 2 : 3
    let scale = [1.0, 10, 100, 1000][digits]
    let scaled = (self * scale).rounded() / scale
    return digits == 0 ? String(Int(scaled)) : String(scaled)
  }
}
