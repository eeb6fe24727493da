import Hearth

/// A mistake in the names at the beginning of a command line.
package enum CommandMistake: Equatable {
  /// There is no command of this name; others are like it.
  case unknown(String, like: [String])
  /// Options stand before the command: the line as it should be.
  case earlyOptions([String], better: [String])

  /// An advice in words.
  package var message: String {
    switch self {
    case .unknown(let name, let names):
      return "there is no command \"\(name.printable)\"."
        + (names.isEmpty ? " `hearth --help` lists all." : Suggestion.question(names))
    case .earlyOptions(let options, let better):
      let line = (["hearth"] + better).map(\.shellWord).joined(separator: " ")
      let verb = options.count == 1 ? "comes" : "come"
      return "\(options.joined(separator: " and ")) \(verb) after the command:\n  \(line)"
    }
  }
}

extension CommandTable {
  /// Returns the mistake in the names of a command line that was not understood; `nil` if they are
  /// right.
  package func mistake(in words: [String]) -> CommandMistake? {
    var (options, moved): ([String], [String]) = ([], [])
    var rest = words[...]
    while let word = rest.first, word.hasPrefix("-"), word.utf8.count > 1 {
      options.append(word.split(separator: "=").first.map(String.init) ?? word)
      moved.append(rest.removeFirst())
      if takesValue(word), let value = rest.popFirst() { moved.append(value) }
    }
    if let unknown = unknownCommand(in: rest) { return unknown }
    // Without a command the options themselves are wrong.
    guard !options.isEmpty, !rest.isEmpty else { return nil }
    return .earlyOptions(options, better: Array(rest) + moved)
  }

  private func unknownCommand(in words: ArraySlice<String>) -> CommandMistake? {
    var group: [String] = []
    var rest = words
    while let word = rest.first, let names = subcommands(of: group), !names.isEmpty {
      guard !word.hasPrefix("-"), word != "help" else { return nil }
      guard names.contains(word) else {
        let start = group.map { $0 + " " }.joined()
        var near = Suggestion.names(like: word, among: names).map { start + $0 }
        // A command of a group may have been typed without the group.
        if group.isEmpty, near.isEmpty { near = paths(endingIn: word) }
        return .unknown(start + word, like: near)
      }
      group.append(word)
      rest.removeFirst()
    }
    return nil
  }

  /// Returns the commands of groups that have this name.
  private func paths(endingIn word: String) -> [String] {
    (subcommands(of: []) ?? []).flatMap { group in
      (subcommands(of: [group]) ?? []).filter { $0 == word }.map { "\(group) \($0)" }
    }
  }
}
