/// The references between the files of a target, counted.
///
/// A reference is one of two things:
/// - A type's name that exactly one file of the target declares for others to see.
/// - A member's name (of a function, variable or case) that exactly one file of the whole tree
///   declares for others to see, after a dot or before an opening bracket or brace.
///
/// A name that the file declares itself is no reference. So a common name (`next`, `run`) is not
/// seen, and a reference that is counted is almost always meant.
struct FileReferences {
  struct Count: Equatable {
    var types = 0
    var members = 0
  }

  let units: [SourceTree.Unit]
  /// Counts by the index of the naming file, then of the declaring file.
  private(set) var counts: [[Int: Count]]

  init(of target: String, in tree: SourceTree) {
    units = tree.units.filter { $0.target == target }
    counts = Array(repeating: [:], count: units.count)
    let types = Self.owners(in: units) { $0.types.lazy.filter(\.isNamed).map(\.name) }
    let memberPaths = Self.owners(in: tree.units) {
      $0.declarations.lazy.filter(\.isNamed).map(\.name)
    }.mapValues { tree.units[$0].path }
    let places = Dictionary(uniqueKeysWithValues: units.enumerated().map { ($1.path, $0) })
    let members = memberPaths.compactMapValues { places[$0] }
    for index in units.indices { count(in: index, types, members) }
  }

  /// Returns the indexes of the units that alone declare a name.
  private static func owners(
    in units: [SourceTree.Unit], _ names: (SourceTree.Unit) -> some Sequence<String>
  ) -> [String: Int] {
    var owners: [String: Int?] = [:]
    for (index, unit) in units.enumerated() {
      for name in Set(names(unit)) {
        owners.updateValue(owners.keys.contains(name) ? nil : index, forKey: name)
      }
    }
    return owners.compactMapValues { $0 }
  }

  private mutating func count(in index: Int, _ types: [String: Int], _ members: [String: Int]) {
    let unit = units[index]
    let ownTypes = Set(unit.types.lazy.filter { $0.kind != .extensionOfType }.map(\.name))
    let ownMembers = Set(unit.declarations.lazy.map(\.name))
    for (place, word) in unit.words.enumerated() {
      if let declaring = types[word] {
        if declaring != index, !ownTypes.contains(word) {
          counts[index][declaring, default: Count()].types += 1
        }
      } else if let declaring = members[word], declaring != index, !ownMembers.contains(word),
        Self.isUse(at: place, in: unit.words)
      {
        counts[index][declaring, default: Count()].members += 1
      }
    }
  }

  private static func isUse(at place: Int, in words: [String]) -> Bool {
    if place > 0, words[place - 1] == "." { return true }
    return place + 1 < words.count && ["(", "{"].contains(words[place + 1])
  }

  /// The largest set of files each of which leads to each other, as sorted paths.
  var largestCircle: [String] {
    let circles = Circles(of: counts.map { $0.keys.sorted() }).all
    return circles.max { $0.count < $1.count }.map { $0.map { units[$0].path }.sorted() } ?? []
  }
}

extension TypeDeclaration {
  /// Whether other files can refer to it by its name.
  fileprivate var isNamed: Bool { !isPrivate && kind != .extensionOfType }
}

extension Declaration {
  /// Whether other files can refer to it by its name alone.
  fileprivate var isNamed: Bool {
    !isPrivate && kind != .initializer && kind != .subscripting
  }
}
