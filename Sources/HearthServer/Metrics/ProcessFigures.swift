import FoundationEssentials

/// The figures of a process that Prometheus' own clients give, by the same names. Those that the
/// system doesn't tell are left out.
struct ProcessFigures {
  /// Ticks of Linux's clocks in a second, as programs see them.
  private static let ticksPerSecond = 100.0

  private let startTime: Double

  /// Notes the present time as that of the start.
  init() {
    startTime = Date().timeIntervalSince1970
  }

  func write(to page: inout MetricsPage) {
    if let seconds = ProcessFigures.processorSeconds() {
      page.add("process_cpu_seconds_total", .counter, seconds)
    }
    if let bytes = ProcessFigures.residentByteCount() {
      page.add("process_resident_memory_bytes", .gauge, Double(bytes))
    }
    page.add("process_start_time_seconds", .gauge, startTime)
  }

  private static func processorSeconds() -> Double? {
    // The program's name comes first, in parentheses, and may contain anything.
    guard let stat = text(of: "/proc/self/stat"), let end = stat.lastIndex(of: ")") else {
      return nil
    }
    let fields = stat[end...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
      return nil
    }
    return (user + system) / ticksPerSecond
  }

  /// Returns the number of bytes of memory; `nil` where the system doesn't tell.
  static func residentByteCount() -> Int? {
    let lines = text(of: "/proc/self/status")?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix("VmRSS:") }) else { return nil }
    let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
    return fields.count > 1 ? Int(fields[1]).map { $0 << 10 } : nil
  }

  private static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
