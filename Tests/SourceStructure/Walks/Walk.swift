/// A road through the sources, from a user's calls to the code that ends them.
package struct Walk: Sendable {
  /// A stretch of a road that the text of the sources shows.
  package struct Leg: Sendable {
    /// `Target.Type.member`.
    package var start: String
    package var end: String

    package init(from start: String, to end: String) {
      self.start = start
      self.end = end
    }
  }

  /// Name in reports and bounds.
  package var name: String
  package var legs: [Leg]

  package init(name: String, legs: [Leg]) {
    self.name = name
    self.legs = legs
  }

  /// The walks of a query to its rows, a write to its batch, and an index from the tool to its
  /// entries.
  ///
  /// The last has three legs, since values decide which call a session receives and which thread
  /// runs a build's steps.
  package static let all = [
    Walk(
      name: "query",
      legs: [
        Leg(from: "Hearth.QueryBuilding.getDocuments", to: "QueryPlanning.IndexRequirement.match"),
        Leg(from: "Hearth.QueryBuilding.getDocuments", to: "LevelDBStore.LevelDBCursor.seek"),
      ]),
    Walk(
      name: "write",
      legs: [
        Leg(from: "Hearth.DocumentReference.setData", to: "OrderedStore.StoreBatch.put")
      ]),
    Walk(
      name: "index create",
      legs: [
        Leg(from: "hearth.IndexCreateCommand.run", to: "hearth.AdminSession.run"),
        Leg(from: "Hearth.IndexBuildCall.run", to: "EngineUpkeep.IndexBuilds.step"),
        Leg(from: "EngineUpkeep.IndexBuilds.step", to: "EngineUpkeep.BuildEntries.append"),
      ]),
  ]
}

/// The files and types that a reader of a walk opens.
///
/// The road is every declaration on a path of calls from a leg's start to its end. The reader opens
/// the files of the road, and those of the declarations and types that the road names, without
/// following these further.
package struct WalkFigures: Sendable {
  /// A leg of which one end is declared nowhere, or that no calls connect.
  package struct Broken: Error, CustomStringConvertible {
    package let description: String
  }

  /// Files of the road, sorted.
  package let roadPaths: [String]
  /// Files that a reader opens, sorted.
  package let paths: [String]
  /// Number of types that these files declare.
  package let typeCount: Int
  /// Number of their lines, comments included.
  package let lineCount: Int

  /// Follows `walk`.
  ///
  /// - Throws: `Broken` if a leg can't be followed.
  package init(_ walk: Walk, in graph: WalkGraph) throws(Broken) {
    var road: Set<Int> = []
    for leg in walk.legs { road.formUnion(try graph.road(leg, of: walk.name)) }
    let opened = graph.unitsNamed(by: road)
    roadPaths = graph.paths(of: graph.units(of: road))
    paths = graph.paths(of: opened)
    typeCount = opened.reduce(0) { $0 + graph.calls.tree.units[$1].typeCount }
    lineCount = opened.reduce(0) { $0 + graph.calls.tree.units[$1].lineCount }
  }
}
