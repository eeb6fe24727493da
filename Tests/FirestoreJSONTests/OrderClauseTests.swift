import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct OrderClauseTests {
  @Test func readsAndWritesOrders() throws {
    let orders = [
      Order(try FieldPath("population"), .descending), Order(try FieldPath("`a b`.c")),
      Order(.documentID, .descending),
    ]
    #expect(try OrderClause.parse("population desc, `a b`.c, __name__ DESC") == orders)
    #expect(try OrderClause.parse("population descending,`a b`.c asc,__name__ desc") == orders)
    #expect(OrderClause.text(of: orders) == "population desc, `a b`.c, __name__ desc")
    #expect(
      try OrderClause.parse("desc desc, asc")
        == [Order(try FieldPath("desc"), .descending), Order(try FieldPath("asc"))])
  }

  @Test(arguments: [
    ("", "^ expected a field, as in population desc, name"),
    ("a,", "  ^ expected a field, as in population desc, name"),
    ("a down", "  ^ expected asc, desc or a comma"),
    ("a desc b", "       ^ expected the end of the text"),
    ("-a", " ^ a digit is missing from this number"),
    ("a; b", " ^ nothing in a query begins with this character"),
  ])
  func refuses(_ text: String, _ caretLine: String) {
    let error = thrown(QueryTextError.self) { _ = try OrderClause.parse(text) }
    #expect(error?.description == "\(text)\n\(caretLine)")
  }

  @Test func showsOfALongTextWhatStandsNearThePlace() {
    let before = String(repeating: "field, ", count: 1_000)
    let error = thrown(QueryTextError.self) {
      _ = try OrderClause.parse(before + "a down, " + before)
    }
    let shown = (before + "a ").suffix(60)
    let rest = ("down, " + before).prefix(40)
    let indent = String(repeating: " ", count: 61)
    #expect(
      error?.description == "…\(shown)\(rest)…\n\(indent)^ expected asc, desc or a comma")
  }

  @Test func readsAndWritesCursors() throws {
    let scope = NameScope(.default, collection: try ResourcePath("cities"))
    let orders = try OrderClause.parse("population desc, name, __name__")
    let tokyo = Value.reference(try DocumentName(try ResourcePath("cities/tokyo")))
    let read = { (text: String) in try CursorText.parse(text, orders: orders, in: scope) }
    #expect(try read("1000000, \"x\"") == [1_000_000, "x"])
    #expect(try read("null,NaN, 'tokyo'") == [.null, .double(.nan), tokyo])
    #expect(
      CursorText.text(of: [1, "x", tokyo], orders: orders, in: scope) == #"1, "x", "tokyo""#)
    #expect(
      CursorText.text(of: [tokyo], orders: [], in: scope) == #"reference("cities/tokyo")"#)
    let refusals = [
      ("", "^ expected a value, such as \"text\", 42, 1.5, true or null"),
      ("1 2", "  ^ expected the end of the text"),
      ("1, 2, 'x', 4", "           ^ there are more values than fields to order by"),
    ]
    for (text, caretLine) in refusals {
      let error = thrown(QueryTextError.self) { _ = try read(text) }
      #expect(error?.description == "\(text)\n\(caretLine)")
    }
  }
}
