import FoundationEssentials

/// The machine on which the tool runs, as its system describes it.
struct Machine: Codable, Sendable, Equatable {
  /// Name of the processor; `nil` if the system doesn't tell it.
  var processor: String?
  var processorCount: Int
  /// Size of the memory; `nil` if the system doesn't tell it.
  var memoryByteCount: Int?
  /// Names and versions of the distribution and of the kernel.
  var system: String

  /// The present machine.
  static var present: Machine {
    let processors = text(of: "/proc/cpuinfo")
    let memory = value(of: "MemTotal", in: text(of: "/proc/meminfo"))
      .flatMap { Int($0.prefix { $0.isNumber }) }
    let kernel = text(of: "/proc/sys/kernel/osrelease").prefix { !$0.isNewline }
    let distribution = text(of: "/etc/os-release").split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }
      .map { $0.dropFirst(12).filter { $0 != "\"" } }
    return Machine(
      processor: value(of: "model name", in: processors),
      processorCount: ProcessInfo.processInfo.activeProcessorCount,
      memoryByteCount: memory.map { $0 * 1024 },
      system: [distribution, kernel.isEmpty ? nil : "Linux \(kernel)"].compactMap { $0 }
        .joined(separator: ", "))
  }

  /// Returns the start of a file of the system; empty if there is none.
  private static func text(of path: String) -> String {
    // A system without the file doesn't tell what is in it.
    let bytes = try? FileDescriptor(reading: path).read(atMost: 1 << 16)
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// Returns the value of the first line that begins with `name` and a colon.
  private static func value(of name: String, in text: String) -> String? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let colon = line.firstIndex(of: ":")
    else { return nil }
    return String(line[colon...].dropFirst().drop { $0 == " " || $0 == "\t" })
  }
}
