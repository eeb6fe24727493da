import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The meaning of queries, on documents (§2.4, §2.5, §4.5, §4.6).
struct QueryMatcherTests {
  private static let values: [(String, MapValue)] = [
    ("absent", ["n": 1]), ("null", ["v": .null]), ("nan", ["v": .double(.nan)]), ("one", ["v": 1]),
    ("oneDouble", ["v": .double(1)]), ("two", ["v": 2]), ("false", ["v": false]),
    ("string", ["v": "1"]), ("array", ["v": [1, "x"]]), ("empty", ["v": []]),
    ("nullIn", ["v": [.null, .double(.nan)]]),
    ("mapIn", ["v": [["k": 1]]]), ("map", ["v": ["k": 1]]),
  ]

  private func document(_ name: String, _ fields: MapValue) -> Document {
    Document(
      path: path(name), fields: fields, createTime: .minimum, updateTime: .minimum)
  }

  /// Returns the ids of the results among `values`.
  private func results(
    _ query: StructuredQuery, _ documents: [(String, MapValue)] = values
  ) throws -> [String] {
    let matcher = QueryMatcher(try NormalizedQuery(query, in: .default))
    return matcher.run(on: documents.map { document("c/\($0.0)", $0.1) })
      .map { $0.path.lastSegment ?? "" }
  }

  @Test(arguments: [
    (query(equal("v", 1)), ["one", "oneDouble"]),
    (query(equal("v", .null)), []), (query(equal("v", .double(.nan))), []),
    (query(.unary(field("v"), .isNull)), ["null"]), (query(.unary(field("v"), .isNaN)), ["nan"]),
    (query(equal("v.k", 1)), ["map"]), (query(equal("v", [1, "x"])), ["array"]),
    (query(contains("v", 1)), ["array"]), (query(contains("v", .double(1))), ["array"]),
    (query(contains("v", .null)), []), (query(contains("v", .double(.nan))), []),
    (query(contains("v", ["k": 1])), ["mapIn"]), (query(contains("v", [1])), []),
    (query(below("v", 2)), ["one", "oneDouble"]), (query(above("v", false)), []),
    (query(.field(field("v"), .greaterThanOrEqual, "")), ["string"]),
    (query(above("v", .null)), []), (query(below("v", .double(.nan))), []),
    (query(equal("v", 1), equal("v", "1")), []),
    (query(above("v", [])), ["nullIn", "array", "mapIn"]),
    (query(equal("absent")), []),
  ])
  func filter(_ query: StructuredQuery, _ expected: [String]) throws {
    #expect(try results(query) == expected)
  }

  @Test func orderSortsAllTypesAndLeavesOutMissingFields() throws {
    let ascending = [
      "null", "false", "nan", "one", "oneDouble", "two", "string", "empty", "nullIn", "array",
      "mapIn", "map",
    ]
    #expect(try results(query(by: "v")) == ascending)
    #expect(try results(query(by: "v desc, __name__")).first == "map")
    #expect(try results(query(by: "v, __name__ desc"))[3...4] == ["oneDouble", "one"])
    #expect(try results(query()).count == QueryMatcherTests.values.count)
  }

  /// Cursors by §4.6, with the cursor's value on two documents.
  @Test func cursorsOffsetAndLimit() throws {
    let numbers: [(String, MapValue)] = [
      ("a", ["n": 1]), ("b", ["n": 2]), ("d", ["n": 2]), ("e", ["n": 3]),
    ]
    func ids(_ query: StructuredQuery) throws -> String { try results(query, numbers).joined() }
    #expect(try ids(query(by: "n", start: Cursor([2], isBefore: true))) == "bde")
    #expect(try ids(query(by: "n", start: Cursor([2], isBefore: false))) == "e")
    #expect(try ids(query(by: "n", end: Cursor([2], isBefore: false))) == "abd")
    #expect(try ids(query(by: "n", end: Cursor([2], isBefore: true))) == "a")
    #expect(try ids(query(by: "n desc", start: Cursor([2], isBefore: true))) == "dba")
    #expect(try ids(query(by: "n desc", end: Cursor([2], isBefore: true))) == "e")
    let name = reference("c/b")
    #expect(try ids(query(by: "n, __name__", start: Cursor([2, name], isBefore: false))) == "de")
    #expect(try ids(query(by: "n", start: Cursor(["x"], isBefore: true))) == "")
    #expect(try ids(query(by: "n", start: Cursor([.null], isBefore: true))) == "abde")
    #expect(try ids(query(by: "n", start: Cursor([], isBefore: false))) == "abde")
    #expect(try ids(query(by: "n", offset: 1, limit: 2)) == "bd")
    #expect(try ids(query(by: "n", offset: 9)) == "")
    #expect(try ids(query(limit: 0)) == "")
  }

  @Test func namesAreComparedByPath() throws {
    let paths = ["c/a", "c/b", "p/x/c/a", "c/a/c/z", "c/a/sub/z", "d/c"]
    let documents = paths.map { document($0, ["n": 1]) }
    func run(_ query: StructuredQuery) throws -> [String] {
      QueryMatcher(try NormalizedQuery(query, in: .default)).run(on: documents).map {
        $0.path.description
      }
    }
    #expect(try run(query()) == ["c/a", "c/b"])
    #expect(try run(query(group: true)) == ["c/a", "c/a/c/z", "c/b", "p/x/c/a"])
    #expect(try run(query(below: "c/a", group: true)) == ["c/a/c/z"])
    #expect(try run(query(below: "p/x")) == ["p/x/c/a"])
    #expect(try run(query(above("__name__", reference("c/a/sub/x")))) == ["c/b"])
    #expect(
      try run(query(below("__name__", reference("c/b")), group: true)) == ["c/a", "c/a/c/z"])
    #expect(try run(query(equal("__name__", reference("d/c")), group: true)) == [])
  }

  /// Values that an index cuts are equal in orders and differ in filters (§3.6).
  @Test func longValuesTieInOrdersAndDifferInFilters() throws {
    let long = String(repeating: "x", count: 1500)
    let documents: [(String, MapValue)] = [
      ("b", ["v": .string(long + "a")]), ("a", ["v": .string(long + "b")]),
    ]
    #expect(try results(query(by: "v"), documents) == ["a", "b"])
    #expect(try results(query(equal("v", .string(long + "a"))), documents) == ["b"])
    #expect(try results(query(above("v", .string(long + "a"))), documents) == ["a"])
    // A cursor of values alone is compared with values; one with a name has its place.
    func cursor(_ end: String, isBefore: Bool) -> Cursor {
      Cursor([.string(long + end)], isBefore: isBefore)
    }
    func starting(_ end: String, isBefore: Bool) throws -> [String] {
      try results(query(by: "v", start: cursor(end, isBefore: isBefore)), documents)
    }
    #expect(try starting("z", isBefore: false) == [])
    #expect(try starting("a", isBefore: false) == ["a"])
    #expect(try starting("a", isBefore: true) == ["a", "b"])
    #expect(try starting("", isBefore: false) == ["a", "b"])
    let end = cursor("b", isBefore: true)
    #expect(try results(query(by: "v", end: end), documents) == ["b"])
  }
}
