/// The kind of the run and its sizes.
struct BuildFloorOptions {
  enum Mode: String {
    case floor, load
  }

  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  let mode: Mode
  private var numbers: [String: Double] = [
    "--documents": 1_000_000, "--rounds": 3, "--writes": 200, "--reads": 800, "--seconds": 20,
    "--max-p99-ms": 10,
  ]

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    guard let word = rest.popFirst(), let mode = Mode(rawValue: word) else {
      throw Misuse(description: "BuildFloor floor | load [--documents N] …")
    }
    self.mode = mode
    while let name = rest.popFirst() {
      guard numbers[name] != nil, let text = rest.popFirst(), let number = Double(text) else {
        throw Misuse(description: "\(name) is no option, or its number is missing")
      }
      numbers[name] = number
    }
  }

  private func number(_ name: String) -> Double { numbers[name] ?? 0 }

  var documentCount: Int { max(Int(number("--documents")), 1000) }
  var roundCount: Int { max(Int(number("--rounds")), 1) }
  /// Writes per second of all writers together.
  var writeRate: Double { max(number("--writes"), 1) }
  /// Reads per second of all readers together.
  var readRate: Double { max(number("--reads"), 1) }
  var seconds: Double { max(number("--seconds"), 1) }
  var maximumLatencyMilliseconds: Double { max(number("--max-p99-ms"), 0.01) }
}
