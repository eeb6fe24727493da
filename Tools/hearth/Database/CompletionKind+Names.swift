import ArgumentParser
import FoundationEssentials
import Hearth
import HearthFirestoreJSON

extension CompletionKind {
  /// Paths of the database's collections, and below a collection those of documents.
  static let paths = CompletionKind.custom { words, _, typed in
    (SampledNames(typedIn: words)?.paths(typed: typed) ?? []).forShell
  }

  /// Ids of the collections at the top of the database.
  static let collectionIDs = CompletionKind.custom { words, _, _ in
    (SampledNames(typedIn: words)?.paths(typed: "") ?? []).forShell
  }

  /// The next column of an index of the collection that is named before: of a present index, or of
  /// a new one for `index create`.
  static let indexColumns = CompletionKind.custom { words, place, _ in
    guard let names = SampledNames(typedIn: words) else { return [] }
    let given = words.prefix(max(place, 0)).drop { !$0.utf8Equal("index") }.dropFirst()
      .filter { !$0.hasPrefix("-") }
    guard let command = given.first, let collection = given.dropFirst().first else { return [] }
    let columns = Array(given.dropFirst(2))
    guard command.utf8Equal("create") else {
      return names.indexColumns(of: collection, after: columns).forShell
    }
    return names.fields(of: collection).sorted().flatMap { ["\($0):asc", "\($0):desc"] }.forShell
  }
}

extension [String] {
  /// The words as the shell takes them that asks for them: in zsh a bare colon ends a word.
  fileprivate var forShell: [String] {
    CompletionShell.requesting == .zsh ? map { $0.replacing(":", with: "\\:") } : self
  }
}

extension SampledNames {
  /// Creates the names of the database of a command line; `nil` if it names none.
  fileprivate convenience init?(typedIn words: [String]) {
    var folder = ProcessInfo.processInfo.environment["HEARTH_DB"]
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      if word.utf8Equal("--db"), !next.isEmpty { folder = next }
      if word.hasPrefix("--db=") { folder = String(word.dropFirst(5)) }
    }
    // Without an answer there is nothing to complete.
    guard let folder, !folder.isEmpty, let options = try? DatabaseOptions.naming(folder, wait: nil)
    else { return nil }
    self.init(options)
  }
}
