/// The completion of the shell's lines: of commands, options, collections, documents, fields and
/// values.
struct ShellCompletion {
  /// The options whose value is a condition, and those whose value names fields.
  private static let conditions: Set<String> = ["--where", "-w"]
  private static let fieldLists: Set<String> = [
    "--fields", "--order-by", "-o", "--sum", "--average", "--id-field", "--delete",
  ]
  /// The names of values that are paths of collections or documents.
  private static let paths: Set<String> = ["collection", "collection-id", "path"]

  let commands: CommandTable
  let names: SampledNames

  /// Returns the completions of a line up to the cursor.
  func completion(of text: String) -> Completion {
    let line = TypedLine(text)
    switch commands.wanted(after: line.words, typing: line.word) {
    case .command(let commands):
      return Completion(
        typed: line.word, candidates: commands + (line.words.isEmpty ? ["exit", "help"] : []))
    case .option(let options): return Completion(typed: line.word, candidates: options)
    case .value(let option): return value(of: option, in: line)
    case .positional(let name, let place):
      if ShellCompletion.paths.contains(name), !line.isQuoted {
        return Completion(typed: line.word, candidates: names.paths(typed: line.word))
      }
      return place > 0 ? condition(in: line) : Completion(typed: line.word, candidates: [])
    }
  }

  private func value(of option: String, in line: TypedLine) -> Completion {
    if ShellCompletion.conditions.contains(option) { return condition(in: line) }
    guard ShellCompletion.fieldLists.contains(option), let collection = collection(of: line) else {
      return Completion(typed: line.word, candidates: [])
    }
    let typed = line.word.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    return Completion(typed: String(typed), candidates: names.fields(of: collection))
  }

  private func condition(in line: TypedLine) -> Completion {
    guard let collection = collection(of: line) else {
      return Completion(typed: line.word, candidates: [])
    }
    switch ConditionPlace(line.word) {
    case .field(let typed):
      return Completion(typed: typed, candidates: names.fields(of: collection))
    case .value(let field, let typed):
      return Completion(typed: typed, candidates: names.values(of: field, in: collection))
    }
  }

  private func collection(of line: TypedLine) -> String? { commands.subject(of: line.words) }
}
