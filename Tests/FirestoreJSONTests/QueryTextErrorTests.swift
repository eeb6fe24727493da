import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct QueryTextErrorTests {
  private func refusal(_ text: String, inGroup: Bool = false) throws -> QueryTextError? {
    let collection = inGroup ? nil : try ResourcePath("cities")
    return thrown(QueryTextError.self) {
      _ = try WhereClause.parse(text, in: NameScope(.default, collection: collection))
    }
  }

  /// A text, with the caret and the message for it.
  @Test(arguments: [
    ("countryCode = \"JP\"", "            ^ write == for equality"),
    ("a === 1", "  ^ write == for equality"),
    ("a => 1", "  ^ write >="),
    ("a =< 1", "  ^ write <="),
    ("a is null", "  ^ write == null, != null, == NaN or != NaN"),
    ("a contains 1", "  ^ write array-contains"),
    ("a <> 1", "  ^ write !="),
    ("a !== 1", "  ^ write !="),
    ("a not in [1]", "  ^ write not-in"),
    ("a arrayContainsAny [1]", "  ^ write array-contains-any"),
    ("a in 1", "     ^ in takes a list, such as [1, 2]"),
    ("a not-in (1)", "         ^ not-in takes a list, such as [1, 2]"),
    ("a in [1, 2", "          ^ expected , or ]"),
    ("a == 1 | b == 2", "       ^ write || between alternatives"),
    ("a == 1 ||", "         ^ expected a field, as in population > 1000000"),
    ("!(a == 1)", "^ there is no negation: write != or not-in"),
    ("a == 1 & b == 2", "       ^ write && between conditions"),
    ("a == 1, b == 2", "      ^ write && between conditions"),
    ("a == 1 b == 2", "       ^ expected &&, || or the end"),
    ("a == null b", "          ^ expected &&, || or the end"),
    ("", "^ expected a condition, such as population > 1000000"),
    ("  ", "  ^ expected a condition, such as population > 1000000"),
    (
      "a",
      " ^ expected one of == != < <= > >= in not-in array-contains array-contains-any, as in "
        + "population > 1000000"
    ),
    (
      "a b",
      "  ^ expected one of == != < <= > >= in not-in array-contains array-contains-any, as in "
        + "population > 1000000"
    ),
    ("a ==", "    ^ expected a value, such as \"text\", 42, 1.5, true or null"),
    ("a == )", "     ^ expected a value, such as \"text\", 42, 1.5, true or null"),
    ("a == 1 &&", "         ^ expected a field, as in population > 1000000"),
    ("1 < a", "^ expected a field, as in population > 1000000"),
    ("(a == 1", "       ^ expected &&, || or )"),
    ("a == 1)", "      ^ expected the end of the text"),
    ("a == JP", "     ^ a text is written in quotes: \"JP\""),
    ("a == True", "     ^ a text is written in quotes: \"True\""),
    (
      "a == 2026-01-31",
      "     ^ this is no number: write a text in quotes, a time as timestamp(\"…\")"
    ),
    ("a == 3rd", "     ^ this is no number: write a text in quotes, a time as timestamp(\"…\")"),
    ("a == 1.", "       ^ a digit is missing from this number"),
    ("a == 007", "     ^ a number has no leading zeros"),
    ("a == .5", "     ^ nothing in a query begins with this character"),
    ("a == 1e999", "     ^ this number is too large for a double"),
    ("a == -x", "      ^ a digit is missing from this number"),
    ("a == -Infinityx", "      ^ a digit is missing from this number"),
    ("a == \"x", "     ^ this string has no end"),
    ("a == \"\\q\"", "      ^ an unknown escape: \\ goes before one of \" \\ / b f n r t u"),
    ("a == [1, 2", "          ^ expected , or ]"),
    ("a == [1,]", "        ^ expected a value, such as \"text\", 42, 1.5, true or null"),
    ("a == {1: 2}", "      ^ expected a name, in quotes where it is more than a word"),
    ("a == {b 2}", "        ^ expected :"),
    ("a == {b: 2", "          ^ expected , or }"),
    (
      "a == date(1)",
      "     ^ the functions are timestamp(\"2026-01-31T09:30:00Z\"), bytes(\"aGVhcnRo\"), "
        + "reference(\"users/alice\"), geopoint(35.6, 139.7), vector(1.0, 2.0)"
    ),
    ("a == geopoint(1)", "     ^ write it as geopoint(35.6, 139.7)"),
    ("a == vector([1])", "     ^ write it as vector(1.0, 2.0)"),
    ("a == timestamp(5)", "     ^ write it as timestamp(\"2026-01-31T09:30:00Z\")"),
    (
      "a == timestamp(\"x\")",
      "               ^ Illegal timestamp format; timestamps must end with 'Z' or have a valid "
        + "timezone offset."
    ),
    ("a == bytes(\"!\")", "           ^ this is no base64"),
    (
      "a == geopoint(91, 0)",
      "              ^ Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
    ),
    (
      "a == reference(\"users\")",
      "               ^ \"users\" is a collection: a document's path has an even number of parts"
    ),
    (
      "__name__ == \"a/b/c\"",
      "            ^ \"a/b/c\" is a collection: a document's path has an even number of parts"
    ),
    ("__name__ == \"..\"", "            ^ Resource id \"..\" is invalid because it is reserved."),
    ("a..b == 1", "  ^ a field name is missing here"),
    ("a. == 1", "  ^ a field name is missing here"),
    ("a-b == 1", "^ the name a-b is written in backticks: `a-b`"),
    ("x.größe == 1", "^ the name größe is written in backticks: `größe`"),
    ("a.1b == 1", "^ the name 1b is written in backticks: `1b`"),
    ("`a == 1", "^ this backtick is never closed"),
    ("`` == 1", "^ Invalid empty property path string."),
    ("a.__x__ == 1", "^ Invalid reserved name in field path __x__"),
    ("a == 1 # b", "       ^ nothing in a query begins with this character"),
  ])
  func pointsAtTheCharacter(_ text: String, _ caretLine: String) throws {
    #expect(try refusal(text)?.description == "\(text)\n\(caretLine)")
  }

  @Test func groupsNeedPaths() throws {
    #expect(
      try refusal("__name__ == 'x'", inGroup: true)?.message
        == "\"x\" is no path: a collection group's documents are named by their paths, such as "
        + "\"users/alice\"")
  }

  @Test func offsetsCountBytesAndCharacters() throws {
    let error = try #require(try refusal("`größe` == \"e\u{301}\" oops"))
    #expect(error.characterOffset == 15)
    #expect(error.utf8Offset == 19)
    #expect(error.text == "`größe` == \"e\u{301}\" oops")
    #expect(
      error.description
        == "`größe` == \"e\u{301}\" oops\n               ^ expected &&, || or the end")
  }

  @Test func caretStandsBelowWideCharactersAndTabs() throws {
    #expect(
      try refusal("a == \"東京😀\" oops")?.description
        == "a == \"東京😀\" oops\n" + "              ^ expected &&, || or the end")
    #expect(try refusal("\ta = 1")?.description == "\ta = 1\n\t  ^ write == for equality")
  }

  @Test func onlyTheLineOfTheErrorIsShown() throws {
    #expect(
      try refusal("a == 1 &&\nb = 2 &&\nc == 3")?.description
        == "b = 2 &&\n  ^ write == for equality")
    #expect(try refusal("a ==\n")?.description.hasPrefix("\n^ expected a value") == true)
  }

  @Test func nestingIsLimited() throws {
    let nested = { (count: Int) in
      String(repeating: "(", count: count) + "a == 1" + String(repeating: ")", count: count)
    }
    #expect(try refusal(nested(64)) == nil)
    #expect(try refusal(nested(65))?.message == "nested deeper than 64 levels")
    #expect(try refusal(nested(100_000))?.message == "nested deeper than 64 levels")
    for opening in ["[", "{a:", "vector("] {
      let text = "a == " + String(repeating: opening, count: 100_000)
      #expect(try refusal(text)?.message == "nested deeper than 64 levels")
    }
  }
}
