import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct QueryTextWritingTests {
  private func parse(_ text: String) throws -> AnyQuery {
    try QueryText.parse(text, in: .default)
  }

  @Test func writesQueriesAsTheyAreTyped() throws {
    let texts = [
      "cities", "users/a/posts", "posts group",
      "users/a/posts group where __name__ > \"users/a/posts/b\"",
      """
      cities where countryCode == "JP" && population > 1 order by population desc, name \
      start at 3, "x" end before 1 offset 2 limit 5 select name, `a b`.c
      """,
      "cities order by n start after 3 end at 4", "c aggregate count, sum a.b, average c",
    ]
    for text in texts {
      #expect(QueryText.text(of: try parse(text), in: .default) == text)
    }
    let nearest = NearestNeighbors(try FieldPath("v"), to: [1], by: .cosine, limit: 3)
    let everything = StructuredQuery(collectionID: "", allDescendants: true, nearest: nearest)
    #expect(QueryText.text(of: everything, in: .default) == "* group nearest 3 to v")
  }

  @Test(arguments: [
    ("users/a/posts group", "users/?/posts group"),
    (
      "c where (a == 1 || b in [1, 2]) && __name__ > \"x\" && d == null",
      "c where (a == ? || b in ?) && __name__ > ? && d == null"
    ),
    (
      "c order by a, b start at 3, \"x\" offset 2 limit 5 select a aggregate sum a",
      "c order by a, b start at ?, ? offset ? limit ? select a aggregate sum a"
    ),
  ])
  func aShapeHasNoValues(_ text: String, _ shape: String) throws {
    #expect(QueryText.shape(of: try parse(text)) == shape)
  }

  @Test func everyQueryIsReadBack() throws {
    let seeds = generatedSeeds()
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      var query = try generator.query()
      query.collectionID = generator.pick(["c", "東", "a.b"])
      query.filter = generator.chance(1, of: 2) ? try generator.filter() : nil
      query.nearest = nil
      if query.projection?.isEmpty ?? false { query.projection = nil }
      query.offset = max(0, query.offset)
      query.limit = query.limit.map { max(0, $0) }
      query.start = cursor(query.start, in: query)
      query.end = cursor(query.end, in: query)
      let text = QueryText.text(of: query, in: .default)
      #expect(try parse(text) == .documents(query), "seed \(seed): \(text)")
    }
  }

  /// Returns the part of the cursor that can be typed.
  private func cursor(_ cursor: Cursor?, in query: StructuredQuery) -> Cursor? {
    guard let cursor, !query.orders.contains(where: { $0.field == .documentID }) else { return nil }
    let values = Array(cursor.values.prefix(query.orders.count))
    return values.isEmpty ? nil : Cursor(values, isBefore: cursor.isBefore)
  }
}
