import Hearth
import Testing

// The code of Transactions.md, word for word: DocumentationTests compares the two.

@Suite struct TransactionsExamples {
  func sell(_ item: DocumentReference) throws {
    try item.updateData([
      "stock": .increment(-1),
      "soldTime": .serverTimestamp,
      "highestPrice": .maximum(300),
      "buyers": .arrayUnion(["ada"]),
      "reservation": .delete,
    ])
  }

  func rename(_ item: DocumentSnapshot, to name: String) throws {
    guard let readTime = item.updateTime else { return }
    // FAILED_PRECONDITION if another write has changed it since.
    try item.reference.updateData(["name": .string(name)], if: .updateTime(readTime))
  }

  func move(_ task: DocumentSnapshot, to list: DocumentReference, in database: Database) throws {
    guard let fields = try task.data() else { return }
    var batch = database.batch()
    batch.create(fields, for: try list.collection("tasks").document(task.id))
    batch.delete(task.reference)
    batch.updateData(["taskCount": .increment(1)], for: list)
    try batch.commit()
  }

  struct InsufficientFunds: Error {}

  func transfer(
    _ amount: Int64, from giver: DocumentReference, to taker: DocumentReference,
    in database: Database
  ) throws -> Int64 {
    try database.runTransaction { transaction in
      let balance = try transaction.getDocument(giver).value("balance")?.integerValue ?? 0
      guard balance >= amount else { throw InsufficientFunds() }
      try transaction.updateData(["balance": .integer(balance - amount)], for: giver)
      try transaction.updateData(["balance": .increment(amount)], for: taker)
      return balance - amount
    }
  }

  func takeSeat(
    for passenger: String, in seats: CollectionReference, of database: Database
  ) async throws -> String? {
    try await database.runTransaction { transaction in
      let free = try seats.whereField("passenger", isEqualTo: .null).limit(to: 1)
      let found = try await transaction.getDocuments(free)
      guard let seat = found.documents.first else { return nil }
      try transaction.updateData(["passenger": .string(passenger)], for: seat.reference)
      return seat.id
    }
  }

  func reserve(
    _ count: Int64, of item: DocumentReference, in database: Database,
    confirming confirm: (Int64) async -> Bool
  ) async throws -> Bool {
    let transaction = try database.beginTransaction()
    let found = try await transaction.read { try $0.getDocument(item) }
    let stock = try found.value("stock")?.integerValue ?? 0
    guard stock >= count, await confirm(stock - count) else {
      transaction.rollback()
      return false
    }
    try await transaction.commit { $0.updateData(["stock": .increment(-count)], for: item) }
    return true
  }

  func listAndTotal(in database: Database) throws -> ([String], Int) {
    let tasks = try database.collection("tasks")
    let moment = try database.snapshot()
    let newest = try tasks.order(by: "createdTime", descending: true).limit(to: 20)
    return (try moment.getDocuments(newest).documents.map(\.id), try moment.count(tasks))
  }

  private let database: Database

  init() throws { database = try Database.inMemory() }

  @Test func sells() throws {
    let item = try database.document("items/lamp")
    try item.setData(["stock": 2, "highestPrice": 200, "reservation": "bob"])
    try sell(item)
    try sell(item)
    let sold = try item.getDocument()
    #expect(try sold.value("stock") == 0)
    #expect(try sold.value("highestPrice") == 300)
    #expect(try sold.value("buyers") == ["ada"])
    #expect(try sold.value("reservation") == nil)
  }

  @Test func renamesAnUnchangedDocument() throws {
    let item = try database.document("items/lamp")
    try item.setData(["name": "Lamp"])
    let old = try item.getDocument()
    try rename(old, to: "Light")
    #expect(code { try rename(old, to: "Torch") } == .failedPrecondition)
    #expect(try item.getDocument().value("name") == "Light")
  }

  @Test func moves() throws {
    let (now, later) = (try database.document("lists/now"), try database.document("lists/later"))
    try later.setData(["taskCount": 0])
    let task = try now.collection("tasks").document("milk")
    try task.setData(["title": "Milk"])
    try move(task.getDocument(), to: later, in: database)
    #expect(try !task.getDocument().exists)
    #expect(try later.collection("tasks").ids() == ["milk"])
    #expect(try later.getDocument().value("taskCount") == 1)
  }

  @Test func transfers() throws {
    let (ada, bob) = (try database.document("users/ada"), try database.document("users/bob"))
    try ada.setData(["balance": 10])
    try bob.setData(["balance": 0])
    #expect(try transfer(7, from: ada, to: bob, in: database) == 3)
    #expect(throws: InsufficientFunds.self) { try transfer(7, from: ada, to: bob, in: database) }
    #expect(try bob.getDocument().value("balance") == 7)
  }

  @Test func givesNoSeatTwice() async throws {
    let seats = try database.collection("seats")
    for number in 1...4 {
      try await seats.document("seat\(number)").setData(["passenger": .null])
    }
    let given = try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 1...6 {
        group.addTask { [database] in
          try await takeSeat(for: "passenger\(number)", in: seats, of: database)
        }
      }
      return try await group.reduce(into: [String]()) { if let seat = $1 { $0.append(seat) } }
    }
    #expect(given.sorted() == ["seat1", "seat2", "seat3", "seat4"])
  }

  @Test func reserves() async throws {
    let item = try database.document("items/lamp")
    try await item.setData(["stock": 5])
    #expect(try await reserve(3, of: item, in: database) { $0 == 2 })
    #expect(try await !reserve(3, of: item, in: database) { _ in true })
    #expect(try await !reserve(1, of: item, in: database) { _ in false })
    #expect(try await item.getDocument().value("stock") == 2)
  }

  @Test func readsOneMoment() throws {
    let tasks = try database.collection("tasks")
    for number in Int64(1)...3 {
      try tasks.document("t\(number)").setData(["createdTime": .integer(number)])
    }
    #expect(try listAndTotal(in: database) == (["t3", "t2", "t1"], 3))
  }
}
