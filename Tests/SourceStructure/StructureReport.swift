/// The figures of a checkout, as text.
package struct StructureReport {
  private let files: [SourceFile]
  private let tree: SourceTree

  /// - Parameter files: the files of a checkout's folders `Sources` and `Tools`.
  package init(_ files: [SourceFile]) {
    self.files = files
    tree = SourceTree(files)
  }

  /// Lines of the whole report: each target, the walks, the lines of code.
  package var lines: [String] {
    tree.targets.flatMap { Self.lines(TargetStructure(of: $0, in: tree)) + [""] }
      + walkLines + [""] + codeLines
  }

  private static func lines(_ target: TargetStructure) -> [String] {
    let possible = target.rooms.count * (target.rooms.count - 1) / 2
    func figure(_ pairs: (Bool) -> [TargetStructure.Pair]) -> String {
      "\(pairs(false).count), \(pairs(true).count) by type names alone"
    }
    let bothWays = target.bothWayPairs(byTypesAlone: false)
    let byTypes = Set(target.bothWayPairs(byTypesAlone: true))
    return [
      "\(target.name): \(target.rooms.count) rooms, \(target.fileCount) files, "
        + "\(target.codeLineCount) lines of code"
    ] + target.rooms.map { "  \($0.name): \($0.fileCount) files, \($0.codeLineCount) lines" }
      + target.arrows.map {
        "  \($0.from) → \($0.to): \($0.typeCount + $0.memberCount), \($0.typeCount) of types"
      } + ["  Pairs tied, of \(possible): \(figure(target.tiedPairs))"]
      + ["  Pairs tied both ways: \(figure(target.bothWayPairs))"]
      + bothWays.map {
        "    \($0.first) ↔ \($0.second)\(byTypes.contains($0) ? "" : ", by members")"
      } + ["  Largest circle: \(target.largestCircle.count) of \(target.fileCount) files"]
      + (target.largestCircle.count > 1 ? target.largestCircle.map { "    \($0)" } : [])
  }

  private var walkLines: [String] {
    let graph = WalkGraph(tree)
    return Walk.all.flatMap { walk in
      do {
        let figures = try WalkFigures(walk, in: graph)
        let road = Set(figures.roadPaths)
        return [
          "Way of \(walk.name): \(figures.paths.count) files, \(figures.typeCount) types, "
            + "\(figures.lineCount) lines; the road itself \(road.count) files"
        ] + figures.paths.map { "  \(road.contains($0) ? "*" : " ") \($0)" }
      } catch {
        return ["Way of \(error)"]
      }
    }
  }

  /// The lines of code of every Swift file below `Sources` and `Tools`, without `Tools/floors`.
  private var codeLines: [String] {
    let counted = files.filter {
      let folder = $0.path.split(separator: "/").first
      return $0.path.hasSuffix(".swift") && (folder == "Sources" || folder == "Tools")
        && !$0.path.hasPrefix("Tools/floors/")
    }
    let folders = Dictionary(grouping: counted) {
      $0.path.split(separator: "/").prefix(2).joined(separator: "/")
    }
    func count(_ files: [SourceFile]) -> Int { files.reduce(0) { $0 + $1.codeLineCount } }
    return ["Lines of code:"] + folders.sorted { $0.key < $1.key }.map { "  \($0): \(count($1))" }
      + ["  in all: \(count(counted))"]
  }
}
