import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import TestSupport
import Testing

@Suite struct WhereClauseTests {
  private let scope: NameScope
  private let groupScope = NameScope(.default, collection: nil)

  init() throws {
    scope = NameScope(.default, collection: try ResourcePath("cities"))
  }

  private func parse(_ text: String) throws -> Filter { try WhereClause.parse(text, in: scope) }

  private func equal(_ field: String, _ value: Value) throws -> Filter {
    .field(try FieldPath(field), .equal, value)
  }

  private func document(_ path: String) throws -> Value {
    .reference(try DocumentName(try ResourcePath(path)))
  }

  @Test func readsConditions() throws {
    let country = try equal("countryCode", "JP")
    let population = Filter.field(try FieldPath("population"), .greaterThan, 1_000_000)
    #expect(
      try parse(#"countryCode == "JP" && population > 1000000"#) == .and([country, population]))
    #expect(try parse("countryCode=='JP'and population>1000000") == .and([country, population]))
    #expect(
      try parse("(countryCode == 'JP') AND ((population > 1000000))")
        == .and([country, population]))
    #expect(
      try parse("countryCode == 'JP' && (population > 1000000 && countryCode == 'JP')")
        == .and([country, .and([population, country])]))
    #expect(
      try parse(#"alternateNames array-contains "Tokio""#)
        == .field(try FieldPath("alternateNames"), .arrayContains, "Tokio"))
    for comparison in Filter.Comparison.allCases {
      let (text, value): (String, Value) = comparison.takesList ? ("[1, 'x']", [1, "x"]) : ("1", 1)
      let filter = try parse("a.`b c`.d \(comparison.rawValue) \(text)")
      #expect(filter == .field(try FieldPath("a.`b c`.d"), comparison, value))
    }
    #expect(try parse("a in []") == .field(try FieldPath("a"), .in, []))
  }

  @Test func conjunctionsBindCloserThanAlternatives() throws {
    let (a, b, c) = (try equal("a", 1), try equal("b", 2), try equal("c", 3))
    #expect(try parse("a == 1 || b == 2 && c == 3") == .or([a, .and([b, c])]))
    #expect(try parse("a == 1 and b == 2 or c == 3") == .or([.and([a, b]), c]))
    #expect(try parse("(a == 1 OR b == 2) && c == 3") == .and([.or([a, b]), c]))
    #expect(try parse("a == 1 || b == 2 || c == 3") == .or([a, b, c]))
    #expect(try parse("a == 1 || (b == 2 || c == 3)") == .or([a, .or([b, c])]))
  }

  @Test func keywordsMayNameFields() throws {
    #expect(
      try parse("and == 1 and and == 2 && null == null && `a.b` == NaN && `größe` == 1")
        == .and([
          try equal("and", 1), try equal("and", 2), .unary(try FieldPath("null"), .isNull),
          .unary(try FieldPath("`a.b`"), .isNaN), try equal("`größe`", 1),
        ]))
  }

  @Test func onlyEqualityAndItsOppositeAskForNullAndNaN() throws {
    let path = try FieldPath("a")
    #expect(try parse("a == null") == .unary(path, .isNull))
    #expect(try parse("a == NaN") == .unary(path, .isNaN))
    #expect(try parse("a != null") == .unary(path, .isNotNull))
    #expect(try parse("a != NaN") == .unary(path, .isNotNaN))
    #expect(try parse("a in [null]") == .field(path, .in, [.null]))
    #expect(try parse("a >= null") == .field(path, .greaterThanOrEqual, .null))
    #expect(try parse("a array-contains NaN") == .field(path, .arrayContains, .double(.nan)))
    #expect(try parse("a == [null]") == .field(path, .equal, [.null]))
  }

  @Test func readsEveryTypeOfValue() throws {
    let cases: [(String, Value)] = [
      ("true", true), ("false", false), ("0", 0), ("-5", -5),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .double(0x1p63)), ("1.5", 1.5), ("1e3", 1000.0),
      ("-0", .double(-0.0)),
      ("Infinity", .double(.infinity)), ("-Infinity", .double(-.infinity)),
      (#""a\u00e9\n""#, "aé\n"), (#"'it\'s "x"'"#, "it's \"x\""), ("''", ""),
      (
        #"timestamp("2026-01-01T00:00:00Z")"#,
        .timestamp(try Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
      ),
      (#"bytes("aGk=")"#, .bytes([104, 105])),
      (#"reference("users/alice")"#, try document("users/alice")),
      (
        #"reference("projects/p/databases/d/documents/a/b")"#,
        .reference(
          try DocumentName(
            try ResourcePath("a/b"), in: try DatabaseID(project: "p", database: "d")))
      ),
      ("geopoint(35.6, 139.7)", .geoPoint(try GeoPoint(latitude: 35.6, longitude: 139.7))),
      ("geopoint(1,-2)", .geoPoint(try GeoPoint(latitude: 1, longitude: -2))),
      ("vector(1.0, 2)", .vector([1, 2])), ("vector()", .vector([])), ("[]", []),
      ("[1, 'a', [true]]", [1, "a", [true]]), ("{}", [:]),
      ("{a: 1, 'b c': {`d`: null}}", ["a": 1, "b c": ["d": .null]]),
    ]
    for (text, value) in cases {
      #expect(try ValueText.parse(text, in: scope) == value, "\(text)")
      guard value != .null, !value.isNaN else { continue }
      #expect(try parse("a == \(text)") == (try equal("a", value)), "\(text)")
    }
    #expect(try ValueText.parse("null", in: scope) == .null)
    #expect(try ValueText.parse("NaN", in: scope) == .double(.nan))
  }

  @Test func textsBesideNameAreDocuments() throws {
    let name = FieldPath.documentID
    #expect(
      try parse(#"__name__ > "tokyo""#) == .field(name, .greaterThan, try document("cities/tokyo")))
    #expect(
      try parse(#"`__name__` == "users/alice""#)
        == .field(name, .equal, try document("users/alice")))
    #expect(
      try parse(#"__name__ == reference("c/d")"#) == .field(name, .equal, try document("c/d")))
    #expect(
      try WhereClause.parse(#"__name__ == "a/b/cities/c""#, in: groupScope)
        == .field(name, .equal, try document("a/b/cities/c")))
    let nested = NameScope(.default, collection: try ResourcePath("a/b/cities"))
    #expect(
      try WhereClause.parse("__name__ == 'x'", in: nested)
        == .field(name, .equal, try document("a/b/cities/x")))
  }

  @Test func writesFiltersAsTheyAreTyped() throws {
    let typed = [
      #"countryCode == "JP" && population > 1000000"#, "a == null && b == NaN && c >= null",
      #"a == 1 && (b == 2 && c == 3)"#,
      #"`a b`.c array-contains {x: [1.0, -Infinity], "y z": "\n"}"#,
      #"__name__ > "tokyo""#, #"__name__ == "users/alice""#, #"a == reference("users/alice")"#,
      #"a == reference("projects/p/databases/d/documents/a/b")"#,
      #"a == timestamp("2026-01-01T00:00:00.500Z") && b == bytes("aGk=")"#,
      "a == geopoint(35.6, 139.7) && b == vector(1.0, 2.5)",
      "a == 1 && (b == 2 || c == 3) || d != null && e != NaN", "a != 1 || (b == 2 || c == 3)",
      #"a in [1, "x", [null]] && b not-in [] && c array-contains-any [NaN]"#,
      #"__name__ in ["tokyo", "users/alice"]"#,
    ]
    for text in typed { #expect(WhereClause.text(of: try parse(text), in: scope) == text) }
    #expect(WhereClause.text(of: .and([]), in: scope) == "")
    let a = try equal("a", 1)
    #expect(WhereClause.text(of: .and([.and([a])]), in: scope) == "a == 1")
    #expect(
      WhereClause.text(of: .and([.and([.or([a, a])]), a]), in: scope)
        == "(a == 1 || a == 1) && a == 1")
  }

  @Test func everyFilterIsReadBack() throws {
    let scope = NameScope(.default, collection: try ResourcePath("c"))
    var kinds: [String: Int] = [:]
    let seeds = generatedSeeds()
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let filter = try generator.filter()
      let names = generator.chance(1, of: 2) ? scope : groupScope
      let text = WhereClause.text(of: filter, in: names)
      #expect(try WhereClause.parse(text, in: names) == filter, "seed \(seed): \(text)")
      switch filter {
      case .and: kinds["and", default: 0] += 1
      case .or: kinds["or", default: 0] += 1
      case .unary: kinds["unary", default: 0] += 1
      case .field(let path, _, _): kinds[path.isDocumentID ? "name" : "field", default: 0] += 1
      }
    }
    guard GeneratedCases.areMany() else { return }
    for kind in ["and", "or", "unary", "name", "field"] {
      #expect((kinds[kind] ?? 0) * 50 > seeds.count, "\(kind): \(kinds)")
    }
  }

  @Test func everyValueIsReadBack() throws {
    for seed in generatedSeeds() {
      var generator = SeededGenerator(seed: seed)
      let value = try generator.value()
      let text = ValueText.text(of: value, in: scope)
      #expect(try ValueText.parse(text, in: scope) == value, "seed \(seed): \(text)")
    }
  }

  /// Any text is read, or refused at a place within the text.
  @Test func anyTextIsReadOrRefused() throws {
    let pieces = [
      "a", "__name__", "==", "=", "<", "&&", "||", "(", ")", "[", "]", "{", "}", ",", ":", "\"x\"",
      "'", "\"", "1", "-", "-1", ".", "`", "\\", "null", "NaN", "-Infinity", "array-contains", " ",
      "\n", "é", "東", "😀", "timestamp(\"", "vector(", "geopoint(91, 0)", "\u{0}", "e\u{301}", "and",
    ]
    var accepted = 0
    let seeds = generatedSeeds()
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      var parts = generator.list(upTo: 8) { $0.pick(pieces) }
      if generator.chance(1, of: 2) {
        let typed = WhereClause.text(of: try generator.filter(), in: scope)
        parts = typed.split(separator: " ").map(String.init)
        parts[Int.random(in: 0..<parts.count, using: &generator)] = generator.pick(pieces)
      }
      let text = parts.joined(separator: generator.pick(["", " "]))
      do {
        _ = try parse(text)
        accepted += 1
      } catch let error as QueryTextError {
        #expect((0...text.utf8.count).contains(error.utf8Offset), "seed \(seed)")
        #expect(error.description.utf8.contains(UInt8(ascii: "^")), "seed \(seed)")
      }
      _ = try? OrderClause.parse(text)
    }
    if GeneratedCases.areMany() { #expect(accepted * 100 > seeds.count) }
  }
}
