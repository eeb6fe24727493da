import Foundation
import TestSupport
import Testing

/// The arguments that a command takes, as the tool itself describes them.
struct CommandGrammar {
  fileprivate struct Argument {
    /// The option as it is typed; `nil` for a value without one.
    let names: [String]
    let takesValue: Bool
    let valueName: String
    let allValues: [String]
    let isOptional: Bool
    let isRepeating: Bool
  }

  /// The words that name the command.
  let path: [String]
  private let arguments: [Argument]

  /// Whether the command ends only when it is stopped, or after a time of its choice.
  var isEndless: Bool { ["serve", "console", "watch", "bench"].contains(path[0]) }

  /// Whether the command can print JSON.
  var hasJSON: Bool { arguments.contains { $0.names.contains("--json") } }

  /// Returns the grammars of all commands that do something.
  static func all() async throws -> [CommandGrammar] {
    let run = try await ToolRun.run(["--experimental-dump-help"])
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let root = try #require(json?["command"] as? [String: Any])
    return grammars(root, path: [])
  }

  private static func grammars(_ command: [String: Any], path: [String]) -> [CommandGrammar] {
    let subcommands = command["subcommands"] as? [[String: Any]] ?? []
    let inner = subcommands.flatMap { subcommand -> [CommandGrammar] in
      guard let name = subcommand["commandName"] as? String, name != "help" else { return [] }
      return grammars(subcommand, path: path + [name])
    }
    guard subcommands.isEmpty, !path.isEmpty else { return inner }
    let arguments = (command["arguments"] as? [[String: Any]]) ?? []
    return [CommandGrammar(path: path, arguments: arguments.compactMap { Argument($0) })]
  }

  /// Returns a command line, most of whose values could be meant.
  func arguments(using random: inout SplitMix64) -> [String] {
    var words = path
    for argument in arguments {
      let isGiven = argument.isOptional ? random.oneIn(6) : !random.oneIn(15)
      guard isGiven else { continue }
      for _ in 0..<(argument.isRepeating ? Int.random(in: 1...3, using: &random) : 1) {
        let value = argument.value(using: &random)
        guard !argument.names.isEmpty else {
          words.append(value)
          continue
        }
        let name = random.pick(argument.names)
        if !argument.takesValue {
          words.append(name)
        } else if name.hasPrefix("--"), random.oneIn(3) {
          words.append("\(name)=\(value)")
        } else {
          words += [name, value]
        }
      }
    }
    if random.oneIn(30) { words.append(random.pick(Argument.oddities)) }
    return words
  }
}

extension CommandGrammar.Argument {
  fileprivate static let oddities = [
    "", "-", "--", "--nosuch", "-z", "x", "\u{1F600}", "é/e\u{301}", "a\nb", "0x10", "NaN", "1e400",
    "-9223372036854775809", "99999999999999999999", "`", "\"", "'", "((", "[1, ", "..", "__a__",
    "a//b", "%s%n", String(repeating: "x", count: 2_000),
  ]

  private static let numbers = ["0", "1", "2", "7", "500", "-1", "1.5", "1000000"]
  private static let files = [
    "data.csv", "data.ndjson", "query.json", "queries.txt", "indexes.json", "writes.json", "rules",
    "noise", "missing", "-", "out", "nosuch/out", ".",
  ]

  fileprivate init?(_ json: [String: Any]) {
    let kind = json["kind"] as? String
    let names = (json["names"] as? [[String: Any]] ?? []).compactMap { name -> String? in
      guard let text = name["name"] as? String else { return nil }
      return (name["kind"] as? String == "short" ? "-" : "--") + text
    }
    guard !names.contains("--help"), !names.contains("--version") else { return nil }
    self.names = names
    takesValue = kind != "flag"
    valueName = json["valueName"] as? String ?? ""
    allValues = json["allValues"] as? [String] ?? []
    isOptional = json["isOptional"] as? Bool == true || kind == "flag"
    isRepeating = json["isRepeating"] as? Bool ?? false
  }

  fileprivate func value(using random: inout SplitMix64) -> String {
    if random.oneIn(8) { return random.pick(Self.oddities) }
    if !allValues.isEmpty { return random.pick(allValues) }
    switch valueName {
    case "collection", "collection-id",
      "path" where names.isEmpty:
      return random.pick(["c", "c", "d", "c/a/d", "c/a", "nosuch"])
    case "path", "from", "to", "damaged", "new":
      return random.pick(["a.hearth", "b.hearth", "missing.hearth", "data.csv"])
    case "conditions": return random.pick(["n == 1", "n > 1 && t == \"x\"", "n in [1, 2]", "n >"])
    case "fields": return random.pick(["n", "n,t", "n desc, t", "*"])
    case "field", "field-path": return random.pick(["n", "t", "id", "a.b"])
    case "field:mode": return random.pick(["n:asc", "t:desc", "n:contains", "v:vector(3)"])
    case "field:type": return random.pick(["n:integer", "t:string", "n:timestamp", "x:y"])
    case "json": return random.pick(["{}", #"{"n": 1}"#, #"{"a": {"b": [1]}}"#, "{", "[]"])
    case "file", "queries", "rules", "tests", "indexes": return random.pick(Self.files)
    default:
      return random.oneIn(3) ? random.pick(Self.files) : random.pick(Self.numbers)
    }
  }
}
