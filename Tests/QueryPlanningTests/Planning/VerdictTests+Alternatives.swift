import HearthDocumentModel
import HearthQueryPlanning

// Lists, alternatives, figures and vectors in the table of §5.11.
extension VerdictTests {
  private static func times(_ count: Int, _ index: String) -> [String] {
    Array(repeating: index, count: count)
  }

  static let negationRows: [Verdict] = [
    Verdict("13", query(not("a")), .init(), .served(times(2, "(a ASC, __name__ ASC)"))),
    Verdict(
      "13 not-in", query(none("a", [1, 2, 3])), .init(),
      .served(times(4, "(a ASC, __name__ ASC)"))),
    // Values outside of the range leave no gap.
    Verdict(
      "13 not-in, range", query(none("a", [1, 5, "x"]), above("a", 3)), .init(),
      .served(times(2, "(a ASC, __name__ ASC)"))),
    Verdict(
      "13 is not null", query(.unary(field("a"), .isNotNull)), .init(),
      .served(["(a ASC, __name__ ASC)"])),
    Verdict(
      "60", query(equal("a"), not("b", 2)), .init(), .refused("(a ASC, b ASC, __name__ ASC)")),
    Verdict(
      "61", query(equal("t"), not("key", "a"), below("sort", 2), above("v", 2)),
      IndexSet(index("t, key, sort, v")),
      .served(times(2, "(t ASC, key ASC, sort ASC, v ASC, __name__ ASC)"))),
    // A negation after the first sorted column doesn't split the scan.
    Verdict(
      "61 later", query(equal("t"), above("key", "a"), not("sort", 2)),
      IndexSet(index("t, key, sort")),
      .served(["(t ASC, key ASC, sort ASC, __name__ ASC)"])),
    Verdict(
      "62", query(equal("t"), contains("v", 0), not("key", "a"), above("sort")), .init(),
      .refused("(v ARRAY_CONTAINS, t ASC, key ASC, sort ASC, __name__ ASC)")),
  ]

  static let listRows: [Verdict] = [
    Verdict(
      "7", StructuredQuery(collectionID: "c", filter: .and((0..<100).map { equal("e\($0)") })),
      .init(), .served((0..<100).map { "e\($0)" }.sorted().map { "(\($0) ASC, __name__ ASC)" })),
    Verdict(
      "14", query(anyOf("a", [1, 2, 3])), .init(), .served(times(3, "(a ASC, __name__ ASC)"))),
    Verdict(
      "14 ordered", query(anyOf("a", [2, 3]), by: "a"), .init(),
      .served(times(2, "(a ASC, __name__ ASC)"))),
    Verdict(
      "14 twice the same", query(anyOf("a", [1, 1])), .init(),
      .served(["(a ASC, __name__ ASC)"])),
    Verdict(
      "15", query(anyOf("a", [1, 2]), equal("b", 3)), .init(),
      .served([
        "(a ASC, __name__ ASC)", "(b ASC, __name__ ASC)", "(a ASC, __name__ ASC)",
        "(b ASC, __name__ ASC)",
      ])),
    Verdict(
      "18", query(containsAny("tags", ["x", "y"]), by: "c"), .init(),
      .refused("(tags ARRAY_CONTAINS, c ASC, __name__ ASC)")),
    Verdict(
      "names", query(anyOf("__name__", [reference("c/x"), reference("c/y")])), .init(),
      .served(times(2, "(__name__ ASC)"))),
    Verdict(
      "names not in", query(none("__name__", [reference("c/x"), reference("c/y")])), .init(),
      .served(times(3, "(__name__ ASC)"))),
    Verdict(
      "kindless", query(above("__name__", reference("c/x")), in: "", group: true), .init(),
      .served(["(__name__ ASC)"])),
  ]

  static let alternativeRows: [Verdict] = [
    Verdict(
      "42", query(.or([equal("a"), equal("b", 2)])), .init(),
      .served(["(a ASC, __name__ ASC)", "(b ASC, __name__ ASC)"])),
    Verdict(
      "43", query(.or([equal("a"), equal("b", 2)]), by: "c"), IndexSet(index("a, c")),
      .refused("(b ASC, c ASC, __name__ ASC)")),
    Verdict(
      "44", query(.or([.and([equal("a"), above("c")]), equal("b", 2)])),
      IndexSet(index("a, c"), index("b, c")),
      .served(["(a ASC, c ASC, __name__ ASC)", "(b ASC, c ASC, __name__ ASC)"])),
    Verdict(
      "45", query(.or([equal("g", "o"), equal("h", 0)]), above("n", 2)),
      IndexSet(index("g, n"), index("h, n")),
      .served(["(g ASC, n ASC, __name__ ASC)", "(h ASC, n ASC, __name__ ASC)"])),
    // The first alternative that fails decides (row 15 of §11); the leftmost one varies slowest.
    Verdict(
      "43 first", query(.or([equal("b"), equal("a", 2)]), anyOf("d", [1, 2]), by: "c"), .init(),
      .refused("(b ASC, d ASC, c ASC, __name__ ASC)")),
    Verdict(
      "43 smaller", query(.or([equal("a"), .and([equal("a"), equal("b")])]), by: "c"),
      IndexSet(index("a, c")),
      .refused("(a ASC, b ASC, c ASC, __name__ ASC)", smaller: "(b ASC, c ASC, __name__ ASC)")),
  ]

  static let aggregationRows: [Verdict] = [
    Verdict("51", query(), .init(), .served(["(n ASC, __name__ ASC)"]), figures: [sum("n")]),
    Verdict(
      "52", query(equal("a")), .init(), .refused("(a ASC, d ASC, __name__ ASC)"),
      figures: [sum("d")]),
    Verdict(
      "53", query(), .init(), .refused("(d ASC, n ASC, __name__ ASC)"),
      figures: [sum("n"), .average(field("d"))]),
    Verdict(
      "54", query(equal("a"), equal("b", 2)), .init(),
      .served(["(a ASC, __name__ ASC)", "(b ASC, __name__ ASC)"]), figures: [.count()]),
    Verdict(
      "55", query(equal("s"), by: "d"), .init(), .refused("(s ASC, d ASC, __name__ ASC)"),
      figures: [.count()]),
    Verdict(
      "56", query(containsAny("rating", [1, 2]), equal("testId", "t")), .init(),
      .refused("(rating ARRAY_CONTAINS, testId ASC, pages ASC, rating ASC, __name__ ASC)"),
      figures: [sum("rating"), sum("pages")]),
    // A field that one alternative fixes is added up nevertheless.
    Verdict(
      "51 either", query(.or([equal("n"), equal("a")])), IndexSet(index("a, n")),
      .served(["(n ASC, __name__ ASC)", "(a ASC, n ASC, __name__ ASC)"]), figures: [sum("n")]),
    // The order of the results doesn't affect the figure.
    Verdict(
      "52 descending", query(equal("a"), by: "b desc"), .init(),
      .refused("(a ASC, b DESC, d ASC, __name__ DESC)"), figures: [sum("d")]),
  ]

  static let vectorRows: [Verdict] = [
    Verdict("57", nearest(), .init(), .refused("(__name__ ASC, emb VECTOR<3>)")),
    Verdict(
      "57 with it", nearest(), IndexSet(vectorIndex("__name__")),
      .served(["(__name__ ASC, emb VECTOR<3>)"])),
    Verdict(
      "57 of other vectors", nearest(), IndexSet(vectorIndex("__name__", dimension: 2)),
      .refused("(__name__ ASC, emb VECTOR<3>)")),
    Verdict(
      "58", nearest(equal("n")), IndexSet(vectorIndex("__name__")),
      .refused("(n ASC, __name__ ASC, emb VECTOR<3>)")),
    Verdict(
      "58 either", nearest(anyOf("n", [1, 2])), IndexSet(vectorIndex("n")),
      .served(times(2, "(n ASC, __name__ ASC, emb VECTOR<3>)"))),
    Verdict(
      "58 range", nearest(above("n")), IndexSet(vectorIndex("n"), index("n, b")),
      .served(["(n ASC, __name__ ASC, emb VECTOR<3>)"])),
    // Vector indexes take no part in merges, or in queries without vectors.
    Verdict(
      "58 merge", nearest(equal("n"), equal("b")), IndexSet(vectorIndex("n"), vectorIndex("b")),
      .refused("(b ASC, n ASC, __name__ ASC, emb VECTOR<3>)")),
    Verdict(
      "58 without", query(equal("a"), by: "n"), IndexSet(vectorIndex("a, n")),
      .refused("(a ASC, n ASC, __name__ ASC)")),
    Verdict(
      "58 sum", nearest(), IndexSet(vectorIndex("__name__")),
      .refused("(n ASC, __name__ ASC, emb VECTOR<3>)"), figures: [sum("n")]),
  ]
}
