/// A reader of the declarations in the words of a file's code, without those within bodies.
struct DeclarationReader {
  private(set) var declarations: [Declaration] = []
  private(set) var types: [TypeDeclaration] = []
  /// The modules that the file imports, and those among them that it exports again.
  private(set) var imports: Set<String> = []
  private(set) var reexports: Set<String> = []
  private let words: [String]

  private static let typeKeywords: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "extension",
  ]
  private static let memberKinds: [String: Declaration.Kind] = [
    "func": .function, "init": .initializer, "subscript": .subscripting, "var": .variable,
    "let": .variable, "case": .enumCase, "deinit": .function,
  ]
  /// The words that end the declaration before them.
  private static let beginnings: Set<String> = typeKeywords.union(memberKinds.keys).union([
    "typealias", "associatedtype", "public", "package", "internal", "private", "fileprivate",
    "static", "final", "mutating", "override", "consuming", "borrowing", "nonisolated",
    "indirect", "lazy", "weak", "convenience", "@", "#", "}",
  ])

  init(_ words: [String]) {
    self.words = words
    var index = 0
    while index < words.count { index = readMembers(from: index, of: nil, isPrivate: false) }
  }

  private func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

  /// Reads up to the brace that closes a type's body and returns the index after it.
  private mutating func readMembers(
    from start: Int, of owner: String?, isPrivate isOwnerPrivate: Bool
  ) -> Int {
    var index = start
    var isPrivate = isOwnerPrivate
    while index < words.count {
      let word = words[index]
      let isKeyword = self.word(index - 1) != "."
      switch word {
      case "}": return index + 1
      case "{": index = Words.end(ofBracketAt: index, in: words)
      case "private", "fileprivate":
        // `private(set)` doesn't restrict the readers.
        if self.word(index + 1) != "(" { isPrivate = true }
        index += 1
        continue
      case "import": index = readImport(at: index)
      case "typealias":
        types.append(
          TypeDeclaration(
            kind: .alias, name: self.word(index + 1), isPrivate: isPrivate, parents: []))
        index += 2
      case _ where isKeyword && isType(at: index):
        index = readType(at: index, isPrivate: isPrivate)
      case _ where isKeyword && Self.memberKinds[word] != nil:
        index = readMember(at: index, of: owner, isPrivate: isPrivate)
      default:
        index += 1
        continue
      }
      isPrivate = isOwnerPrivate
    }
    return index
  }

  /// Whether the keyword at `index` begins a type: `class func` and `class let` do not.
  private func isType(at index: Int) -> Bool {
    let next = word(index + 1)
    return Self.typeKeywords.contains(words[index]) && Words.isName(next)
      && Self.memberKinds[next] == nil
  }

  private mutating func readImport(at index: Int) -> Int {
    let isKind = Self.typeKeywords.contains(word(index + 1)) || word(index + 1) == "func"
    let name = index + (isKind ? 2 : 1)
    imports.insert(word(name))
    if index >= 2, words[max(0, index - 3)..<index].contains("_exported") {
      reexports.insert(word(name))
    }
    return name + 1
  }

  private mutating func readType(at index: Int, isPrivate: Bool) -> Int {
    var name = index + 1
    while word(name + 1) == ".", Words.isName(word(name + 2)) { name += 2 }
    var end = name + 1
    while end < words.count, words[end] != "{" { end += 1 }
    let kind: TypeDeclaration.Kind =
      switch words[index] {
      case "protocol": .protocolType
      case "extension": .extensionOfType
      default: .type
      }
    let header = words[name + 1..<max(end, name + 1)].prefix { $0 != "where" }
    types.append(
      TypeDeclaration(
        kind: kind, name: words[name], isPrivate: isPrivate, parents: header.filter(Words.isName)))
    return readMembers(from: end + 1, of: words[name], isPrivate: isPrivate)
  }

  private mutating func readMember(at index: Int, of owner: String?, isPrivate: Bool) -> Int {
    guard let kind = Self.memberKinds[words[index]] else { return index + 1 }
    let end = end(ofMemberAt: index, kind)
    let body = Array(words[index + 1..<end])
    let names: [String] =
      switch kind {
      case .enumCase: Self.caseNames(in: body)
      case .function, .variable: body.first(where: Words.isName).map { [$0] } ?? []
      case .initializer: ["init"]
      case .subscripting: ["subscript"]
      }
    for name in names {
      declarations.append(
        Declaration(kind: kind, name: name, owner: owner, isPrivate: isPrivate, words: body))
    }
    return end
  }

  /// Returns the index after a member: after the body of a function, else before the next
  /// declaration.
  private func end(ofMemberAt index: Int, _ kind: Declaration.Kind) -> Int {
    var end = index + 1
    while end < words.count {
      switch words[end] {
      case "(", "[": end = Words.end(ofBracketAt: end, in: words)
      case "{":
        end = Words.end(ofBracketAt: end, in: words)
        if kind != .variable { return end }
      case let word
      where Self.beginnings.contains(word) && words[end - 1] != "." && end > index + 1:
        return end
      case "}": return end
      default: end += 1
      }
    }
    return min(end, words.count)
  }

  private static func caseNames(in body: [String]) -> [String] {
    var names: [String] = []
    var index = 0
    while index < body.count {
      if ["(", "["].contains(body[index]) {
        index = Words.end(ofBracketAt: index, in: body)
        continue
      }
      if Words.isName(body[index]), index == 0 || [",", "`"].contains(body[index - 1]) {
        names.append(body[index])
      }
      index += 1
    }
    return names
  }
}
