import Hearth
import Testing

// The code of ReadingRows.md, word for word: DocumentationTests compares the two.

@Suite struct ReadingRowsExamples {
  private struct Order: FieldKeyed {
    var price: Int64

    static let fieldKeys = FieldKeys<Order>(CodingKeys.self, [\.price: .price])
  }

  func titles(of tasks: Query) throws -> [String] {
    let fields = try RowFields("title", "priority")
    var titles: [String] = []
    try tasks.limit(to: 20).forEachRow(of: fields) { row in
      if try row.integer(1) ?? 0 > 0, let title = try row.string(0) { titles.append(title) }
      return true
    }
    return titles
  }

  func totalPrice(of orders: Query) throws -> Int64 {
    let fields = try RowFields(of: Order.self, \.price)
    var total: Int64 = 0
    try orders.forEachRow(of: fields) { row in
      total += try row.integer(0) ?? 0
      return true
    }
    return total
  }

  @Test func rowsHaveTheFields() throws {
    let tasks = try Database.inMemory().collection("tasks")
    try tasks.document("1").setData(["title": "Milk", "priority": 2, "price": 3])
    try tasks.document("2").setData(["title": "Bread", "priority": 0, "price": 4])
    try tasks.document("3").setData(["title": "Tea"])
    #expect(try titles(of: tasks.query) == ["Milk"])
    #expect(try totalPrice(of: tasks.query) == 7)
  }
}
