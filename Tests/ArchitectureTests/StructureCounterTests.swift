import SourceStructure
import Testing

/// Rooms, arrows, circles and lines are counted correctly on small made-up trees.
@Suite struct StructureCounterTests {
  private func tree(_ files: (path: String, text: String)...) -> SourceTree {
    SourceTree(files.map { SourceFile(path: "Sources/\($0.path)", text: $0.text) })
  }

  // MARK: Lines

  @Test(arguments: [
    ("", 0), ("\n  \n// a\n/* b\nc */\n/// d\n", 0), ("let a = 1 // b\n\n/* c */ let d = 2\n", 2),
    ("let a = \"\"\"\n  // text\n\n  \"\"\"\n", 3), ("let a = \"/*\"\nlet b = 1 /* c\n*/ }\n", 3),
  ])
  func linesOfCodeHoldMoreThanComments(text: String, count: Int) {
    #expect(SourceFile(path: "", text: text).codeLineCount == count)
  }

  // MARK: Rooms

  private static let kitchen = (
    path: "House/Kitchen/Stove.swift", text: "struct Stove { func ignite(_ bed: Bed) {} }\n"
  )
  private static let bedroom = (
    path: "House/Bedroom/Bed.swift", text: "struct Bed { let stove = Stove() }\n"
  )
  private static let door = (path: "House/Door.swift", text: "func open(s: Stove) { s.ignite() }\n")

  @Test func roomsArrowsAndPairsAreCounted() {
    let tree = tree(Self.kitchen, Self.bedroom, Self.door)
    #expect(tree.targets == ["House"])
    let house = TargetStructure(of: "House", in: tree)
    #expect(
      house.rooms.map { "\($0.name) \($0.fileCount) \($0.codeLineCount)" } == [
        "(top) 1 1", "Bedroom 1 1", "Kitchen 1 1",
      ])
    #expect(
      house.arrows.map { "\($0.from) \($0.to) \($0.typeCount) \($0.memberCount)" } == [
        "(top) Kitchen 1 1", "Bedroom Kitchen 1 0", "Kitchen Bedroom 1 0",
      ])
    #expect(house.tiedPairs(byTypesAlone: true).count == 2)
    #expect(house.bothWayPairs(byTypesAlone: false).map(\.first) == ["Bedroom"])
    #expect(
      house.largestCircle == ["Sources/" + Self.bedroom.path, "Sources/" + Self.kitchen.path])
  }

  @Test(arguments: [
    // Two files declare it.
    ("struct Lamp {}", "struct Lamp {}", "let a = Lamp()"),
    ("struct A { func shine() {} }", "struct B { func shine() {} }", "let a = b.shine()"),
    // No other file can name it.
    ("private struct Lamp {}", "", "let a = Lamp()"),
    ("struct A { private func shine() {} }", "", "let a = b.shine()"),
    // The file's own type, a word in a text or comment, or a variable.
    ("struct Lamp {}", "", "struct Lamp {}; let a = Lamp()"),
    ("struct Lamp {}", "", "// Lamp\nlet a = \"Lamp\""),
    ("struct A { func shine() {} }", "", "let b = a + shine"),
  ])
  func namesThatMayMeanSomethingElseAreNoReferences(one: String, other: String, user: String) {
    let tree = tree(
      ("T/One/A.swift", one), ("T/One/B.swift", other), ("T/Two/C.swift", user))
    #expect(TargetStructure(of: "T", in: tree).arrows.isEmpty)
  }

  @Test func aMemberThatAnotherTargetDeclaresTooIsNoReference() {
    let use = ("T/Two/C.swift", "let a = b.shine()")
    let declaration = ("T/One/A.swift", "struct A { func shine() {} }")
    #expect(TargetStructure(of: "T", in: tree(declaration, use)).arrows.count == 1)
    let other = ("U/D.swift", "struct D { var shine: Int { 1 } }")
    #expect(TargetStructure(of: "T", in: tree(declaration, use, other)).arrows.isEmpty)
  }

  @Test func theLargestCircleIsFound() {
    let tree = tree(
      ("T/A.swift", "struct A { var b: B }"), ("T/B.swift", "struct B { var c: C }"),
      ("T/C.swift", "enum C { case a(A), d(D) }"), ("T/D.swift", "class D { var e: E }"),
      ("T/E.swift", "protocol E { func f(d: D) }"))
    #expect(
      TargetStructure(of: "T", in: tree).largestCircle == [
        "Sources/T/A.swift", "Sources/T/B.swift", "Sources/T/C.swift",
      ])
  }

  // MARK: Bounds

  @Test func figuresThatGrewAreNamed() {
    let tree = tree(Self.kitchen, Self.bedroom, Self.door)
    func violations(_ bound: StructureBound) -> [String] {
      StructureBound.violations(of: [bound], in: tree).map(\.description)
    }
    #expect(violations(StructureBound(target: "House", bothWayPairs: 1, circle: 2)).isEmpty)
    #expect(
      violations(StructureBound(target: "House")) == [
        "House: 1 pairs of rooms are tied both ways, at most 0 may: Bedroom ↔ Kitchen",
        "House: 2 files form a circle, at most 1 may: "
          + "Sources/House/Bedroom/Bed.swift, Sources/House/Kitchen/Stove.swift",
      ])
    #expect(
      violations(StructureBound(target: "Barn")) == ["House: has no row in the table of bounds"])
  }

  @Test func anArrowToTheRightIsSeen() {
    let house = TargetStructure(of: "House", in: tree(Self.kitchen, Self.door))
    func violations(_ rooms: String...) -> [String] {
      RoomOrder(target: "House", rooms: rooms).violations(in: house).map(\.description)
    }
    #expect(violations("Kitchen", SourceTree.noRoom).isEmpty)
    #expect(
      violations(SourceTree.noRoom, "Kitchen") == [
        "House: (top) refers to Kitchen, which stands to its right, 2 times"
      ])
    #expect(violations(SourceTree.noRoom) == ["House: Kitchen has no place in the row of rooms"])
  }
}
