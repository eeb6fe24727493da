import SourceStructure
import Testing

/// A walk follows calls as they are written.
@Suite struct WalkTests {
  private func figures(
    _ files: (path: String, text: String)..., from start: String = "App.Door.open",
    to end: String = "Store.Shelf.take"
  ) throws -> WalkFigures {
    let tree = SourceTree(
      files.map { SourceFile(path: "Sources/\($0.path)", text: $0.text) } + [
        SourceFile(path: "Sources/Store/Shelf.swift", text: "struct Shelf { func take() {} }\n")
      ])
    let walk = Walk(name: "fetch", legs: [Walk.Leg(from: start, to: end)])
    return try WalkFigures(walk, in: WalkGraph(tree))
  }

  private func name(_ paths: [String]) -> [String] {
    paths.map { String($0.split(separator: "/").last?.split(separator: ".").first ?? "") }
  }

  @Test(arguments: [
    // A parameter, a property, a local value, a result, a chain, an initializer, an own member.
    "struct Door { func open(_ shelf: Shelf) { shelf.take() } }",
    "struct Door { let shelf: Shelf?\n func open() { shelf?.take() } }",
    "struct Door { func open() { let shelf = Shelf(); shelf.take() } }",
    "struct Door { func make() -> Shelf { Shelf() }\n func open() { make().take() } }",
    "struct Wall { var shelf: Shelf }\n struct Door { var wall: Wall\n"
      + " func open() { wall.shelf.take() } }",
    "struct Door { func open() { Box() } }\nstruct Box { init() { Shelf().take() } }",
    "struct Door { func open() { push() } }\nextension Door { func push() { Shelf().take() } }",
    // A protocol's member, and a function given as a value.
    "protocol P { func go() }\nstruct Q: P { func go() { Shelf().take() } }\n"
      + "struct Door { func open(_ p: any P) { p.go() } }",
    "func run(_ body: () -> Void) {}\n"
      + "struct Door { func open() { run(body: go) }\n func go() { Shelf().take() } }",
  ])
  func callsLeadOn(code: String) throws {
    let figures = try figures(("App/Door.swift", "import Store\n" + code))
    #expect(name(figures.roadPaths) == ["Door", "Shelf"])
  }

  @Test(arguments: [
    // A call of another type's member, of a type that isn't imported, in a text, of a local name.
    "import Store\nstruct Box { func take() {} }\n"
      + "struct Door { func open(_ box: Box) { box.take() } }",
    "struct Door { func open(_ shelf: Shelf) { shelf.take() } }",
    "import Store\nstruct Door { func open() { print(\"Shelf().take()\") } }",
    "import Store\nstruct Door { func open(push: Int) { print(push) }\n"
      + " func push() { Shelf().take() } }",
  ])
  func otherCallsDoNot(code: String) throws {
    #expect(throws: WalkFigures.Broken.self) { try figures(("App/Door.swift", code)) }
  }

  @Test func aWayIsItsCallsAndTheTypesTheyName() throws {
    let figures = try figures(
      (
        "App/Door.swift",
        """
        import Store
        struct Door {
          func open() -> Key { Lock().turn(); return step() }
          func step() -> Key { Shelf().take() }
        }

        """
      ),
      ("App/Key.swift", "struct Key {}\nenum Metal {}\n"),
      ("App/Lock.swift", "struct Lock { func turn() { Spring().bend() } }\n"),
      ("App/Spring.swift", "struct Spring { func bend() {} }\n"))
    #expect(name(figures.roadPaths) == ["Door", "Shelf"])
    #expect(name(figures.paths) == ["Door", "Key", "Lock", "Shelf"])
    #expect(figures.typeCount == 5)
    #expect(figures.lineCount == 9)
    let bound = WalkBound(walk: "fetch", files: 4, types: 4)
    #expect(
      bound.violations(in: figures).map(\.description) == [
        "way of fetch: 4 files and 5 types, at most 4 and 4 may be: Sources/App/Door.swift, "
          + "Sources/App/Key.swift, Sources/App/Lock.swift, Sources/Store/Shelf.swift"
      ])
    #expect(WalkBound(walk: "fetch", files: 4, types: 5).violations(in: figures).isEmpty)
  }

  @Test func anEndThatNothingDeclaresIsNamed() {
    let door = ("App/Door.swift", "struct Door { func open() {} }")
    func message(from start: String, to end: String) -> String? {
      do {
        _ = try figures(door, from: start, to: end)
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message(from: "App.Gate.open", to: "Store.Shelf.take")
        == "fetch: nothing declares App.Gate.open; name the end of the leg anew")
    #expect(
      message(from: "App.Door.open", to: "Store.Shelf.take")
        == "fetch: no calls lead from App.Door.open to Store.Shelf.take; divide the leg")
  }
}
