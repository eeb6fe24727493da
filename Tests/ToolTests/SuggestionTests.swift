import Testing
import hearth

/// The names that the tool suggests for mistyped ones.
@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("quey", "query", 1), ("qurey", "query", 1),
    ("crate", "create", 1), ("ab", "ba", 1), ("kitten", "sitting", 3),
  ])
  func distance(left: String, right: String, distance: Int) {
    #expect(EditDistance.between(left, right) == distance)
    #expect(EditDistance.between(right, left) == distance)
  }

  @Test(arguments: [
    ("quey", ["query", "count", "get"], ["query"]), ("CITIES", ["cities", "towns"], ["cities"]),
    ("pop", ["population", "name"], ["population"]), ("x", ["query", "y"], ["y"]),
    ("frob", ["query", "set"], []), ("set", ["get", "st", "sett", "bet"], ["bet", "get", "sett"]),
  ])
  func nearestFirst(word: String, names: [String], expected: [String]) {
    #expect(Suggestion.names(like: word, among: names) == expected)
  }

  @Test func question() {
    #expect(Suggestion.question([]) == "")
    #expect(Suggestion.question(["a"]) == #" Did you mean "a"?"#)
    #expect(Suggestion.question(["a", "b", "c"]) == #" Did you mean "a", "b" or "c"?"#)
  }

  @Test func aRightCommandLineHasNoMistake() async throws {
    let description = try await ToolRun.run(["--experimental-dump-help"]).output
    let table = CommandTable(description: description)
    #expect(table.mistake(in: ["query", "--frob"]) == nil)
    #expect(table.mistake(in: ["index", "list", "x"]) == nil)
    #expect(table.mistake(in: ["--frob"]) == nil)
    #expect(table.mistake(in: ["index", "--frob"]) == nil)
    #expect(table.mistake(in: ["lst"]) == .unknown("lst", like: ["ls"]))
    #expect(
      table.mistake(in: ["--wait", "3", "--json", "ls", "c"])
        == .earlyOptions(["--wait", "--json"], better: ["ls", "c", "--wait", "3", "--json"]))
  }
}
