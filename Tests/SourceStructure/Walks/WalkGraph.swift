/// A finder of roads in the graph of calls. It keeps the calls that it found for the next road.
package final class WalkGraph {
  let calls: CallGraph
  private var found: [Int: Set<Int>] = [:]

  /// - Complexity: the words of all files of `tree`.
  package init(_ tree: SourceTree) { calls = CallGraph(tree) }

  private func callees(of declaration: Int) -> Set<Int> {
    if let known = found[declaration] { return known }
    let callees = calls.callees(of: declaration)
    found[declaration] = callees
    return callees
  }

  /// Returns the declarations on the paths of calls from a leg's start to its end.
  func road(_ leg: Walk.Leg, of walk: String) throws(WalkFigures.Broken) -> Set<Int> {
    let (starts, ends) = (
      try declarations(leg.start, of: walk), try declarations(leg.end, of: walk)
    )
    var callers: [Int: [Int]] = [:]
    let ahead = reached(from: starts) { caller in
      // The road ends here: the calls of the last declaration are no part of it.
      let callees = ends.contains(caller) ? [] : self.callees(of: caller)
      for callee in callees { callers[callee, default: []].append(caller) }
      return callees
    }
    let road = reached(from: ends.filter(ahead.contains)) { callers[$0] ?? [] }
    guard !road.isEmpty else {
      throw WalkFigures.Broken(
        description: "\(walk): no calls lead from \(leg.start) to \(leg.end); divide the leg")
    }
    return road
  }

  private func declarations(
    _ name: String, of walk: String
  ) throws(WalkFigures.Broken) -> [Int] {
    let parts = name.split(separator: ".").map(String.init)
    let found = calls.declarations.indices.filter {
      parts.count == 3 && calls.declarations[$0].name == parts[2]
        && calls.declarations[$0].owner == parts[1]
        && calls.tree.units[calls.unitOf[$0]].target == parts[0]
    }
    guard !found.isEmpty else {
      throw WalkFigures.Broken(
        description: "\(walk): nothing declares \(name); name the end of the leg anew")
    }
    return found
  }

  private func reached(
    from starts: some Sequence<Int>, _ next: (Int) -> some Sequence<Int>
  ) -> Set<Int> {
    var reached = Set(starts)
    var rest = Array(reached)
    while let node = rest.popLast() {
      for following in next(node) where reached.insert(following).inserted {
        rest.append(following)
      }
    }
    return reached
  }

  func units(of declarations: some Sequence<Int>) -> Set<Int> {
    Set(declarations.lazy.map { self.calls.unitOf[$0] })
  }

  /// Returns the files of `road`, of its calls and of the types that it names.
  func unitsNamed(by road: Set<Int>) -> Set<Int> {
    road.reduce(into: units(of: road)) { units, declaration in
      units.formUnion(self.units(of: callees(of: declaration)))
      units.formUnion(calls.namedTypes(in: declaration).compactMap(\.unit))
    }
  }

  func paths(of units: Set<Int>) -> [String] { units.map { calls.tree.units[$0].path }.sorted() }
}
