import SourceStructure

/// Upper bounds for the entanglement of a target's rooms and files. They are lowered as the target
/// is put in order.
struct StructureBound {
  var target: String
  /// Number of pairs of rooms with arrows both ways.
  var bothWayPairs = 0
  /// Number of files in the largest circle.
  var circle = 1

  static let all = [
    StructureBound(target: "OrderedStore"),
    StructureBound(target: "LevelDBStore", circle: 3),
    StructureBound(target: "DocumentModel", circle: 2),
    StructureBound(target: "StorageFormat"),
    StructureBound(target: "QueryPlanning", circle: 2),
    StructureBound(target: "SecurityRules", circle: 6),
    StructureBound(target: "Reports"),
    StructureBound(target: "DocumentEngine", circle: 4),
    StructureBound(target: "EngineUpkeep", circle: 3),
    StructureBound(target: "FirestoreJSON", circle: 6),
    StructureBound(target: "AdminSocket", circle: 3),
    StructureBound(target: "Hearth", circle: 11),
    StructureBound(target: "HearthRules", circle: 2),
    StructureBound(target: "HearthFirebase", circle: 2),
    StructureBound(target: "Tokens"),
    StructureBound(target: "Accounts", circle: 2),
    StructureBound(target: "HearthAuth"),
    StructureBound(target: "ServerTransport"),
    StructureBound(target: "ServerCalls"),
    StructureBound(target: "HearthServer"),
    StructureBound(target: "hearth", circle: 6),
  ]

  /// Returns the bounds that `structure`, the structure of the bound's target, exceeds.
  func violations(in structure: TargetStructure) -> [Violation] {
    var violations: [Violation] = []
    func report(_ message: String) { violations.append(Violation(path: target, message: message)) }
    let pairs = structure.bothWayPairs(byTypesAlone: false)
    if pairs.count > bothWayPairs {
      let list = pairs.map { "\($0.first) ↔ \($0.second)" }.joined(separator: ", ")
      report(
        "\(pairs.count) pairs of rooms are tied both ways, at most \(bothWayPairs) may: \(list)")
    }
    let files = structure.largestCircle
    if files.count > circle {
      report(
        "\(files.count) files form a circle, at most \(circle) may: "
          + files.joined(separator: ", "))
    }
    return violations
  }

  /// Returns the violations of every target in `tree`. Each target needs a bound.
  static func violations(of bounds: [StructureBound], in tree: SourceTree) -> [Violation] {
    tree.targets.flatMap { target in
      guard let bound = bounds.first(where: { $0.target == target }) else {
        return [Violation(path: target, message: "has no row in the table of bounds")]
      }
      return bound.violations(in: TargetStructure(of: target, in: tree))
    }
  }
}

/// Upper bounds of the files and types that a walk passes.
struct WalkBound {
  var walk: String
  var files: Int
  var types: Int

  static let all = [
    WalkBound(walk: "query", files: 77, types: 150),
    WalkBound(walk: "write", files: 65, types: 129),
    WalkBound(walk: "index create", files: 67, types: 156),
  ]

  func violations(in figures: WalkFigures) -> [Violation] {
    guard figures.paths.count > files || figures.typeCount > types else { return [] }
    return [
      Violation(
        path: "way of \(walk)",
        message:
          "\(figures.paths.count) files and \(figures.typeCount) types, at most \(files) and "
          + "\(types) may be: \(figures.paths.joined(separator: ", "))")
    ]
  }
}
