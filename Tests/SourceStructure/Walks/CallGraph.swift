/// The declarations of a tree and the calls of each, as far as the text shows them.
///
/// A name after a dot is looked up in the type of the expression before it (`TypeInference`). A
/// name alone is looked up in its own type and among the functions of no type. `Type(…)` leads to
/// the type's initializers, and a protocol's member to those of the types that conform. The
/// parameters of closures have no type, so calls on them lead nowhere.
struct CallGraph {
  let tree: SourceTree
  let types: TypeNames
  let declarations: [Declaration]
  /// Index of the unit of each declaration.
  let unitOf: [Int]
  let ownerOf: [TypeName?]
  private var globals: [String: [Int]] = [:]
  private var members: [Member: [Int]] = [:]

  /// Keywords that are also names of members, between backticks.
  private static let keywords: Set<String> = [
    "guard", "if", "for", "in", "switch", "case", "default", "where", "repeat", "return", "do",
  ]

  private struct Member: Hashable {
    var type: TypeName
    var name: String
  }

  init(_ tree: SourceTree) {
    self.tree = tree
    let types = TypeNames(tree)
    self.types = types
    let placed = tree.units.enumerated().flatMap { index, unit in
      unit.declarations.map { (unit: index, declaration: $0) }
    }
    declarations = placed.map(\.declaration)
    unitOf = placed.map(\.unit)
    ownerOf = placed.map { place in
      place.declaration.owner.map { types.owner($0, in: place.unit) }
    }
    for (index, declaration) in declarations.enumerated() {
      if let owner = ownerOf[index] {
        members[Member(type: owner, name: declaration.name), default: []].append(index)
      } else {
        globals[declaration.name, default: []].append(index)
      }
    }
  }

  /// Returns the members of a name that values of `type` have, as `user` sees them.
  func members(_ name: String, of type: TypeName, for user: Int) -> [Int] {
    types.family(of: type).flatMap { members[Member(type: $0, name: name)] ?? [] }
      .filter { types.sees(unitOf[$0], from: unitOf[user]) }
  }

  /// Returns the functions and variables of a name that belong to no type.
  func globals(_ name: String, for user: Int) -> [Int] {
    (globals[name] ?? []).filter { types.sees(unitOf[$0], from: unitOf[user]) }
  }

  /// Returns the types that a declaration names.
  func namedTypes(in user: Int) -> Set<TypeName> {
    Set(declarations[user].words.lazy.compactMap { types.resolve($0, in: unitOf[user]) })
  }

  /// Returns the declarations that `user` calls or reads.
  func callees(of user: Int) -> Set<Int> {
    let words = declarations[user].words
    let inference = TypeInference(self, in: user)
    let name = words.firstIndex(of: declarations[user].name)
    var found = Set(implementations(of: user))
    for (place, word) in words.enumerated() where Words.isName(word) && place != name {
      let next = place + 1 < words.count ? words[place + 1] : ""
      if let type = types.resolve(word, in: unitOf[user]) {
        let isMade =
          ["(", "{"].contains(next) || words[(place + 1)...].starts(with: [".", "init"])
        if isMade { found.formUnion(members("init", of: type, for: user)) }
      } else if word != "init", next != ":" {
        if place > 0, words[place - 1] == "." {
          for type in inference.types(ofReceiverBefore: place - 1) {
            found.formUnion(members(word, of: type, for: user))
          }
        } else if !Self.keywords.contains(word), next == "(" || !inference.isLocal(word) {
          if let owner = ownerOf[user] { found.formUnion(members(word, of: owner, for: user)) }
          found.formUnion(globals(word, for: user))
        }
      }
    }
    found.remove(user)
    return found
  }

  /// Returns the members that stand in for a protocol's member.
  private func implementations(of user: Int) -> [Int] {
    guard let owner = ownerOf[user], types.protocols.contains(owner) else { return [] }
    let declaration = declarations[user]
    return (types.children[owner] ?? []).flatMap {
      members[Member(type: $0, name: declaration.name)] ?? []
    }.filter {
      declarations[$0].kind == declaration.kind && types.sees(unitOf[user], from: unitOf[$0])
    }
  }
}
