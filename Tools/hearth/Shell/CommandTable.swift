import Hearth
import HearthFirestoreJSON

/// The commands of the tool, with their options, for completion.
package struct CommandTable {
  private struct Entry {
    var subcommands: [String: Entry] = [:]
    var options: [String] = []
    /// The options that take a value.
    var valued: Set<String> = []
    /// The names of the values that come without an option.
    var positionals: [String] = []
  }

  private let root: Entry

  /// - Parameter description: the commands as ArgumentParser describes them in JSON.
  package init(description: String) {
    let json = try? JSONValue(parsing: Array(description.utf8))
    root = json?["command"].map(CommandTable.entry) ?? Entry()
  }

  private static func entry(_ json: JSONValue) -> Entry {
    var entry = Entry()
    for argument in json["arguments"]?.elements ?? [] {
      let kind = argument["kind"]?.string
      guard kind != "positional" else {
        entry.positionals.append(argument["valueName"]?.string ?? "")
        continue
      }
      for name in argument["names"]?.elements ?? [] {
        guard let text = name["name"]?.string else { continue }
        let option = name["kind"]?.string == "short" ? "-\(text)" : "--\(text)"
        entry.options.append(option)
        if kind == "option" { entry.valued.insert(option) }
      }
    }
    for command in json["subcommands"]?.elements ?? [] {
      if let name = command["commandName"]?.string {
        entry.subcommands[name] = CommandTable.entry(command)
      }
    }
    return entry
  }

  /// The thing that the next word of a command line names.
  package enum Wanted: Equatable {
    case command([String])
    case option([String])
    /// The value of an option.
    case value(of: String)
    /// A value without an option, by its name and place.
    case positional(String, Int)
  }

  /// Returns what the word after `words` is, where `word` is typed of it.
  package func wanted(after words: [String], typing word: String) -> Wanted {
    var entry = root
    var rest = words[...]
    while let name = rest.first, let next = entry.subcommands[name] {
      entry = next
      rest.removeFirst()
    }
    if !entry.subcommands.isEmpty { return .command(Array(entry.subcommands.keys)) }
    if let last = rest.last, entry.valued.contains(last) { return .value(of: last) }
    if word.hasPrefix("-") { return .option(entry.options) }
    let count = positionals(in: rest, of: entry).count
    return .positional(
      entry.positionals.indices.contains(count) ? entry.positionals[count] : "", count)
  }

  /// Returns the names of a group's commands, sorted; `nil` for no group.
  func subcommands(of group: [String]) -> [String]? {
    var entry = root
    for name in group {
      guard let next = entry.subcommands[name] else { return nil }
      entry = next
    }
    return entry.subcommands.keys.sorted()
  }

  /// Whether some command takes a value after an option.
  func takesValue(_ option: String) -> Bool { takesValue(option, in: root) }

  private func takesValue(_ option: String, in entry: Entry) -> Bool {
    entry.valued.contains(option)
      || entry.subcommands.values.contains { takesValue(option, in: $0) }
  }

  /// Returns the first value without an option, such as the collection of a query.
  package func subject(of words: [String]) -> String? {
    var entry = root
    var rest = words[...]
    while let name = rest.first, let next = entry.subcommands[name] {
      entry = next
      rest.removeFirst()
    }
    return positionals(in: rest, of: entry).first
  }

  private func positionals(in words: ArraySlice<String>, of entry: Entry) -> [String] {
    var found: [String] = []
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
      } else if word.hasPrefix("-"), word.utf8.count > 1 {
        isValue = entry.valued.contains(word)
      } else {
        found.append(word)
      }
    }
    return found
  }
}
