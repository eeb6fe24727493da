import SourceStructure
import Testing

/// The rooms and files of each target are no more entangled than before.
@Suite struct StructureTests {
  private static let tree = Result { SourceTree(try Repository.swiftFiles()) }

  @Test func roomsAndCirclesKeepToTheirBounds() throws {
    let tree = try Self.tree.get()
    // A check that reads no file would pass.
    #expect(Set(StructureBound.all.map(\.target)) == Set(tree.targets))
    expectNone(StructureBound.violations(of: StructureBound.all, in: tree))
  }

  @Test func roomsOfARowReferToTheLeft() throws {
    let tree = try Self.tree.get()
    expectNone(
      RoomOrder.all.flatMap { $0.violations(in: TargetStructure(of: $0.target, in: tree)) })
  }

  @Test func waysKeepToTheirBounds() throws {
    let graph = WalkGraph(try Self.tree.get())
    for walk in Walk.all {
      let figures = try WalkFigures(walk, in: graph)
      let bound = try #require(WalkBound.all.first { $0.walk == walk.name })
      expectNone(bound.violations(in: figures))
    }
  }
}
