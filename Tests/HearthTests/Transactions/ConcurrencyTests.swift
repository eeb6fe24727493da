import Hearth
import TestSupport
import Testing

@Suite struct ConcurrencyTests {
  /// Two accounts whose sum every commit keeps, written and read by many tasks at once.
  @Test(arguments: [true, false]) func readersSeeWholeCommits(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    var options = Database.Options()
    options.isDurable = false
    let database =
      isInMemory
      ? try Database.inMemory()
      : try await Database.open(at: folder.path(of: "accounts"), options: options)
    let accounts = try database.collection("accounts")
    let (alice, bob) = (try accounts.document("alice"), try accounts.document("bob"))
    /// Sets the balance of one account to `amount`, and of the other to the rest of 1,000.
    let share: @Sendable (Int64) async throws -> Void = { amount in
      var batch = database.batch()
      batch.setData(["balance": .integer(amount)], for: alice)
      batch.setData(["balance": .integer(1000 - amount)], for: bob)
      try await batch.commit()
    }
    try await share(0)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for step in 1...25 { try await share(Int64(writer * 100 + step)) }
        }
        group.addTask {
          for _ in 1...25 {
            let balances = try await accounts.order(by: "balance").getDocuments().documents
              .compactMap { try $0.value("balance")?.integerValue }
            #expect(balances.count == 2)
            #expect(balances.reduce(0, +) == 1000)
          }
        }
      }
      try await group.waitForAll()
    }
    try await database.close()
  }

  @Test func anIndexIsBuiltWhileWritersGoOn() async throws {
    let database = try Database.inMemory()
    let cities = try database.collection("cities")
    for number in 0..<200 { try await cities.addDocument(City.fields(number)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await database.indexes.create(Cities.countryAndPopulation()) }
      for writer in 1...4 {
        group.addTask {
          for number in 0..<25 { try await cities.addDocument(City.fields(writer * 1000 + number)) }
        }
      }
      try await group.waitForAll()
    }
    let query = try cities.whereField("country", isEqualTo: "JP")
      .order(by: "population", descending: true)
    #expect(try await query.count() == 300)
    #expect(try await database.verify().isClean)
  }
}

private enum City {
  static func fields(_ number: Int) -> MapValue {
    ["country": "JP", "population": .integer(Int64(number))]
  }
}
