/// The types of the expressions in one declaration, as far as annotations, initial values and
/// results show them. Overloads, generics and control flow are not considered.
struct TypeInference {
  private let graph: CallGraph
  private let user: Int
  private let words: [String]
  private let unit: Int
  private let depth: Int

  private static let depthLimit = 4
  /// Words before an expression that are no part of it.
  private static let prefixes: Set<String> = [
    "try", "await", "inout", "consume", "copy", "if", "case", "borrow", "(", "[", "?", "!", "&",
  ]
  /// Words that end an expression backwards.
  private static let keywords: Set<String> = [
    "try", "await", "return", "in", "case", "let", "var", "if", "guard", "else", "where", "is",
    "as",
  ]

  init(_ graph: CallGraph, in user: Int, depth: Int = 0) {
    self.graph = graph
    self.user = user
    self.depth = depth
    words = graph.declarations[user].words
    unit = graph.unitOf[user]
  }

  /// Type of the declaration itself: of a variable, or of a function's result.
  private var ownType: Set<TypeName> {
    switch graph.declarations[user].kind {
    case .enumCase: return owner
    case .function, .subscripting:
      guard let arrow = resultArrow else { return [] }
      return types(in: words[arrow...].prefix { $0 != "{" && $0 != "where" })
    case .variable, .initializer:
      if words.dropFirst().first == ":" {
        return types(in: words.dropFirst(2).prefix { $0 != "{" && $0 != "=" })
      }
      return words.dropFirst().first == "=" ? types(of: words.dropFirst(2)) : []
    }
  }

  private var owner: Set<TypeName> { graph.ownerOf[user].map { [$0] } ?? [] }

  /// Index after the `->` of a function's own result.
  private var resultArrow: Int? {
    var index = 0
    while index < words.count, words[index] != "{" {
      if words[index] == ">", index > 0, words[index - 1] == "-" { return index + 1 }
      let isOpening = ["(", "["].contains(words[index])
      index = isOpening ? Words.end(ofBracketAt: index, in: words) : index + 1
    }
    return nil
  }

  private func types(in words: some Sequence<String>) -> Set<TypeName> {
    words.reduce(into: []) { found, word in
      if word == "Self" {
        found.formUnion(owner)
      } else if let type = graph.types.resolve(word, in: unit) {
        found.insert(type)
      }
    }
  }

  /// Returns the types of the expression that ends before the dot at `dot`.
  func types(ofReceiverBefore dot: Int) -> Set<TypeName> {
    var start = dot
    while start > 0 {
      if ["?", "!"].contains(words[start - 1]) {
        start -= 1
      } else if [")", "]", "}"].contains(words[start - 1]) {
        start = self.start(ofBracketEndingAt: start)
      } else if Words.isName(words[start - 1]), !Self.keywords.contains(words[start - 1]) {
        start -= 1
        guard start > 0, words[start - 1] == "." else { break }
        start -= 1
      } else {
        break
      }
    }
    return types(of: words[start..<dot])
  }

  private func start(ofBracketEndingAt end: Int) -> Int {
    var depth = 0
    for index in (0..<end).reversed() {
      if [")", "]", "}"].contains(words[index]) { depth += 1 }
      if ["(", "[", "{"].contains(words[index]) { depth -= 1 }
      if depth == 0 { return index }
    }
    return 0
  }

  /// Returns the types of a chain of names and calls at the beginning of `expression`.
  private func types(of expression: ArraySlice<String>) -> Set<TypeName> {
    let words = Array(expression.prefix(60).drop { Self.prefixes.contains($0) })
    var found: Set<TypeName>?
    var index = 0
    while index < words.count, Words.isName(words[index]) {
      let name = words[index]
      if name == "self" || name == "Self" {
        found = owner
      } else if let type = graph.types.resolve(name, in: unit) {
        found = [type]
      } else if name != "init" {
        let isCall = index + 1 < words.count && words[index + 1] == "("
        found = types(ofMember: name, of: found, isCall: isCall)
      }
      index += 1
      while index < words.count, ["(", "[", "{", "?", "!"].contains(words[index]) {
        let isMark = ["?", "!"].contains(words[index])
        index = isMark ? index + 1 : Words.end(ofBracketAt: index, in: words)
      }
      guard index < words.count, words[index] == "." else { break }
      index += 1
    }
    return found ?? []
  }

  private func types(
    ofMember name: String, of receivers: Set<TypeName>?, isCall: Bool
  ) -> Set<TypeName> {
    guard depth < Self.depthLimit else { return [] }
    let members: [Int]
    if let receivers {
      members = receivers.flatMap { graph.members(name, of: $0, for: user) }
    } else if !isCall, let types = types(ofLocal: name) {
      return types
    } else {
      let own = owner.flatMap { graph.members(name, of: $0, for: user) }
      members = own.isEmpty ? graph.globals(name, for: user) : own
    }
    return members.reduce(into: []) {
      $0.formUnion(TypeInference(graph, in: $1, depth: depth + 1).ownType)
    }
  }

  /// Whether the declaration has a parameter, variable or constant of this name.
  func isLocal(_ name: String) -> Bool {
    let header = words.firstIndex(of: "{") ?? words.count
    return words.indices.contains {
      isVariable(name, at: $0) || ($0 < header && isLabel(name, at: $0))
    }
  }

  /// Whether `name` follows `let`, `var` or `for` at `place`.
  private func isVariable(_ name: String, at place: Int) -> Bool {
    guard words[place] == name, place > 0 else { return false }
    if ["let", "var"].contains(words[place - 1]) { return true }
    return words[place - 1] == "for" && words[(place + 1)...].first == "in"
  }

  /// Whether `name` is a parameter's at `place`; an argument's label looks the same.
  private func isLabel(_ name: String, at place: Int) -> Bool {
    guard words[place] == name, place > 1, words[(place + 1)...].first == ":" else { return false }
    return [",", "("].contains(words[place - 1]) || Words.isName(words[place - 1])
  }

  private func types(ofLocal name: String) -> Set<TypeName>? {
    for place in words.indices where isVariable(name, at: place) || isLabel(name, at: place) {
      let rest = words[(place + 1)...]
      switch rest.first {
      case ":":
        let types = types(in: annotation(in: rest.dropFirst()))
        // The type of a parameter; the value after an argument's label mostly names none.
        if !types.isEmpty || ["let", "var"].contains(words[place - 1]) { return types }
      case "=", "in":
        return TypeInference(graph, in: user, depth: depth + 1).types(of: rest.dropFirst())
      default:
        // `if let engine`: the type of the member that it unwraps.
        return owner.flatMap { graph.members(name, of: $0, for: user) }.reduce(into: []) {
          $0.formUnion(TypeInference(graph, in: $1, depth: depth + 1).ownType)
        }
      }
    }
    return nil
  }

  /// Returns the words of a type annotation, up to its end.
  private func annotation(in words: ArraySlice<String>) -> ArraySlice<String> {
    var end = words.startIndex
    while end < words.endIndex, ![",", "=", "{", ")", "]"].contains(words[end]) {
      let isOpening = ["(", "["].contains(words[end])
      end = isOpening ? Words.end(ofBracketAt: end, in: self.words) : end + 1
    }
    return words[..<end]
  }
}
