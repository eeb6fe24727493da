import HearthDocumentModel
import Testing

/// Returns the text of a refusal. Tests of a whole theme share it.
private func refusal<T>(_ body: () throws -> T) -> String? {
  do {
    _ = try body()
    return nil
  } catch {
    let error = error as? DatabaseError
    return error?.code == .invalidArgument ? error?.message : "\(String(describing: error))"
  }
}

@Suite struct FieldPathTests {
  @Test(arguments: [
    ("a", ["a"]), ("a.b_1._", ["a", "b_1", "_"]), ("`a.b`.c", ["a.b", "c"]),
    ("`a\\`b\\\\`", ["a`b\\"]), ("`\u{E9}`.x", ["\u{E9}", "x"]), ("`1`", ["1"]),
    ("`__name__`", ["__name__"]), ("__name__", ["__name__"]), ("`*`", ["*"]),
  ])
  func pathsAreRead(_ text: String, _ names: [String]) throws {
    let path = try FieldPath(text)
    #expect(path.names == names)
    #expect(try FieldPath(path.description) == path)
    #expect(path.isDocumentID == (names == ["__name__"]))
  }

  @Test(arguments: [
    "a..b", ".a", "a.", "a b", "1a", "`a", "`a`b", "``", "a`b`", "a.*", "\u{E9}", "`a\\",
  ])
  func malformedPathsAreRefused(_ text: String) {
    #expect(
      refusal { try FieldPath(text) }
        == "Invalid property path \"\(text)\". Unquoted property paths must match regex "
        + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
        + "(`(?:[^`\\\\]|(?:\\\\.))+`)")
  }

  @Test func otherRefusals() {
    #expect(refusal { try FieldPath("") } == "Invalid empty property path string.")
    #expect(refusal { try FieldPath(names: []) } == "Invalid empty property path string.")
    #expect(refusal { try FieldPath(names: ["a", ""]) } == "Invalid empty property path string.")
    #expect(refusal { try FieldPath("a[0]") } == "Invalid property path")
    #expect(
      refusal { try FieldPath("a.__x__") } == "Invalid reserved name in field path __x__")
    #expect(refusal { try FieldPath(names: [String(repeating: "f", count: 1_500)]) } == nil)
    #expect(
      refusal { try FieldPath(names: [String(repeating: "f", count: 1_501)]) }
        == "property path is longer than 1500 bytes.")
  }

  @Test func orderGoesNameByName() throws {
    let paths = try ["a", "a.b", "a.c", "`a!`", "b", "`\u{FFFD}`", "`\u{1F600}`"].map { text in
      try FieldPath(text)
    }
    #expect(paths.shuffled().sorted() == paths)
    #expect(try FieldPath("`\u{E9}`") != FieldPath("`e\u{301}`"))
    #expect(try FieldPath("a.b").hasPrefix(FieldPath("a")))
    #expect(try !FieldPath("ab").hasPrefix(FieldPath("a")))
  }
}

@Suite struct ResourcePathTests {
  @Test func prefixesAreComparedAndHashed() throws {
    let path = try ResourcePath("users/alice/posts/1")
    for count in 0...4 {
      let prefix = path.prefix(count)
      #expect(prefix.segments == Array(path.segments.prefix(count)))
      #expect(path.hasPrefix(prefix) && prefix.hasPrefix(path) == (count == 4))
      #expect(path.byteHash(ofFirst: count) == prefix.byteHash(ofFirst: count))
    }
    #expect(!path.hasPrefix(try ResourcePath("users/bob")))
    #expect(try path.byteHash(ofFirst: 2) != ResourcePath("users/bob").byteHash(ofFirst: 2))
    let split = try (ResourcePath("a/bc"), ResourcePath("ab/c"))
    #expect(split.0.byteHash(ofFirst: 2) != split.1.byteHash(ofFirst: 2))
  }

  @Test func pathsAreRead() throws {
    let path = try ResourcePath("users/jeff/tasks/1")
    #expect(path.segments == ["users", "jeff", "tasks", "1"])
    #expect(path.isDocument && path.parent.isCollection && !ResourcePath.root.isDocument)
    #expect(path.description == "users/jeff/tasks/1")
    #expect(path.parent.parent.description == "users/jeff")
    #expect(ResourcePath.root.parent == .root)
    #expect(path.hasPrefix(path.parent) && path.hasPrefix(.root) && !path.parent.hasPrefix(path))
  }

  @Test func idsFollowTheirRules() {
    #expect(refusal { try ResourcePath("") } == "Collection id is the empty string.")
    #expect(refusal { try ResourcePath("a//b") } == "Resource id is the empty string.")
    #expect(refusal { try ResourcePath("a/b/") } == "Collection id is the empty string.")
    #expect(
      refusal { try ResourcePath("err/__x__") }
        == "Resource id \"__x__\" is invalid because it is reserved.")
    #expect(
      refusal { try ResourcePath("__err__/x") }
        == "Collection id \"__err__\" is invalid because it is reserved.")
    for id in ["err/.", "err/.."] { #expect(refusal { try ResourcePath(id) } != nil) }
    for id in ["a%2Fb", "__", "___", "__a", "...", "\u{1F600}"] {
      #expect(refusal { try ResourcePath("err/" + id) } == nil, "\(id)")
    }
    #expect(refusal { try ResourcePath(segments: ["a/b"]) } != nil)
    let long = String(repeating: "i", count: 1_501)
    #expect(refusal { try ResourcePath("err/" + long.dropLast()) } == nil)
    #expect(
      refusal { try ResourcePath("err/" + long) }
        == "The key path element name is longer than 1500 bytes.")
    #expect(
      refusal { try ResourcePath(long + "/x") }
        == "The key path element kind is longer than 1500 bytes.")
  }

  @Test func numericIDsComeFirstByTheirNumbers() throws {
    let ids = [
      "__id-9223372036854775808__", "__id-2__", "__id7__", "__id12__",
      "__id9223372036854775807__", "\u{0}", "12", "__", "a",
    ]
    let paths = try ids.map { try ResourcePath("c/\($0)/d/x") }
    #expect(Array(paths.reversed()).sorted() == paths)
    for id in ["__id__", "__id07__", "__id+7__", "__id-0__", "__id9223372036854775808__"] {
      #expect(refusal { try ResourcePath("c/\(id)") } != nil, "\(id)")
    }
    #expect(refusal { try ResourcePath("__id7__/x") } != nil)
  }

  @Test func collectionsLieAtMost100Deep() {
    let levels = (0..<100).map { "c\($0)/d" }.joined(separator: "/")
    #expect(refusal { try ResourcePath(levels) } == nil)
    #expect(refusal { try ResourcePath(levels + "/c") } != nil)
  }

  @Test func orderGoesSegmentBySegment() throws {
    let paths = try ["c", "c/a", "c/a/sub", "c/a/sub/x", "c/a!", "c/b", "c!/a"].map { text in
      try ResourcePath(text)
    }
    #expect(paths.shuffled().sorted() == paths)
    #expect(try Set([ResourcePath("\u{E9}"), ResourcePath("e\u{301}")]).count == 2)
  }

  @Test func databasesAreNamed() throws {
    #expect(DatabaseID.default.description == "projects/demo-project/databases/(default)")
    let name = try DocumentName(ResourcePath("c/d"))
    #expect(name.description == "projects/demo-project/databases/(default)/documents/c/d")
    #expect(refusal { try DatabaseID(project: "a/b") } != nil)
    #expect(refusal { try DatabaseID(project: "a", database: "") } != nil)
    let collection = "projects/demo-project/databases/(default)/documents/x"
    #expect(
      refusal { try DocumentName(ResourcePath("x")) }
        == "Document parent name \"\(collection)\" lacks \"/\" at index \(collection.count).")
  }
}
