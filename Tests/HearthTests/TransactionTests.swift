import Hearth
import Testing

@Suite struct TransactionTests {
  private let cities: Cities
  private let tokyo: DocumentReference

  init() throws {
    cities = try Cities()
    tokyo = try cities.collection.document("tokyo")
  }

  private var database: Database { cities.database }

  private func visits() throws -> Value? { try tokyo.getDocument().value("visits") }

  @Test func aTransactionReadsAndWrites() throws {
    let population = try database.runTransaction { transaction in
      let city = try transaction.getDocument(tokyo)
      let others = try transaction.getDocuments(
        cities.collection.whereField("country", isEqualTo: "JP"))
      #expect(others.count == 3)
      #expect(try transaction.count(cities.collection) == 6)
      let all = try transaction.getAll([tokyo, cities.collection.document("none"), tokyo])
      #expect(all.map(\.exists) == [true, false])
      let figures = try transaction.aggregate(
        [.sum("population", as: "sum")], of: cities.collection)
      #expect(try figures["sum"] == 70_680_000)
      try transaction.updateData(["visits": 1], for: tokyo)
      try transaction.setData(["name": "Edo"], for: cities.collection.document("edo"))
      try transaction.delete(cities.collection.document("atlantis"))
      return try city.value("population")
    }
    #expect(population == 37_400_000)
    #expect(try visits() == 1)
    #expect(try cities.collection.count() == 6)
    #expect(try cities.collection.document("atlantis").getDocument().exists == false)
  }

  @Test func aConflictRunsItAgain() throws {
    var seen: [Value?] = []
    try database.runTransaction { transaction in
      seen.append(try transaction.getDocument(tokyo).value("visits"))
      if seen.count < 3 {
        try tokyo.updateData(["visits": .value(.integer(Int64(seen.count)))])
        // The transaction goes on to see its moment.
        #expect(try transaction.getDocument(tokyo).value("visits") == seen.last)
      }
      try transaction.updateData(["visits": 10], for: tokyo)
    }
    #expect(seen == [nil, 1, 2])
    #expect(try visits() == 10)
  }

  @Test func attemptsEnd() throws {
    for (options, expected) in [
      (TransactionOptions(), 5), (TransactionOptions(maxAttempts: 2), 2),
    ] {
      var count = 0
      let failure = failure {
        try database.runTransaction(options) { transaction in
          _ = try transaction.getDocuments(cities.collection.order(by: "population"))
          count += 1
          try tokyo.updateData(["population": .increment(1)])
          try transaction.updateData(["visits": -1], for: tokyo)
        }
      }
      #expect(failure?.code == .aborted)
      #expect(
        failure?.message == "Too much contention on these documents. Please try again.")
      #expect(count == expected)
    }
    #expect(try visits() == nil)
    #expect(
      code { try database.runTransaction(TransactionOptions(maxAttempts: 0)) { _ in } }
        == .invalidArgument)
  }

  @Test func anErrorOfTheClosureEndsIt() throws {
    struct NoSeats: Error {}
    var count = 0
    #expect(throws: NoSeats.self) {
      try database.runTransaction { transaction in
        count += 1
        try transaction.delete(tokyo)
        throw NoSeats()
      }
    }
    // Not even one that looks like a conflict is tried again.
    let failure = failure {
      try database.runTransaction { _ in
        count += 1
        throw DatabaseError(.aborted, "own")
      }
    }
    #expect(failure?.message == "own")
    #expect(count == 2)
    #expect(try tokyo.getDocument().exists)
  }

  @Test func aRefusedCommitIsNotTriedAgain() throws {
    var count = 0
    let code = code {
      try database.runTransaction { transaction in
        count += 1
        try transaction.create(["name": "Tokyo"], for: tokyo)
      }
    }
    #expect(code == .alreadyExists)
    #expect(count == 1)
  }

  @Test func rulesHaveTheirTexts() throws {
    let failure = failure {
      try database.runTransaction { transaction in
        try transaction.updateData(["visits": 1], for: tokyo)
        _ = try transaction.getDocument(tokyo)
      }
    }
    #expect(failure?.code == .invalidArgument)
    #expect(
      failure?.message
        == "Firestore transactions require all reads to be executed before all writes.")
    let update = self.failure {
      try database.runTransaction { transaction in
        let none = try cities.collection.document("none")
        _ = try transaction.getDocument(none)
        try transaction.updateData(["visits": 1], for: none)
      }
    }
    #expect(update?.code == .invalidArgument)
    #expect(update?.message == "Can't update a document that doesn't exist.")
  }

  private func failure(_ body: () throws -> Void) -> DatabaseError? {
    HearthTests.failure(of: body)
  }

  @Test func aTransactionEndsWithItsClosure() throws {
    let leaked = try database.runTransaction { $0 }
    #expect(code { _ = try leaked.getDocument(tokyo) } == .failedPrecondition)
    #expect(code { try leaked.delete(tokyo) } == .failedPrecondition)
    #expect(try tokyo.getDocument().exists)
  }

  @Test func anotherDatabaseIsRefused() throws {
    let other = try Cities()
    let stranger = try other.collection.document("tokyo")
    try database.runTransaction { transaction in
      #expect(code { _ = try transaction.getDocument(stranger) } == .invalidArgument)
      #expect(code { _ = try transaction.getDocuments(other.collection) } == .invalidArgument)
      #expect(code { try transaction.delete(stranger) } == .invalidArgument)
    }
  }

  @Test func readingOnlyIsNeverRunAgain() throws {
    var count = 0
    let visits = try database.runTransaction(.readOnly()) { transaction in
      count += 1
      let before = try transaction.getDocument(tokyo).value("visits")
      try tokyo.updateData(["visits": 7])
      #expect(code { try transaction.delete(tokyo) } == .invalidArgument)
      #expect(try transaction.getDocument(tokyo).value("visits") == before)
      return before
    }
    #expect(count == 1 && visits == nil)

    let database = try Database.inMemory(history: HistoryLimits())
    let document = try database.document("c/a")
    let first = try document.setData(["n": 1]).updateTime
    try document.setData(["n": 2])
    let n = try database.runTransaction(.readOnly(at: first)) {
      try $0.getDocument(document).value("n")
    }
    #expect(n == 1)
  }

  private struct Visit: Codable, Equatable {
    var city: String
    var days: Int
  }

  @Test func valuesOfTypesAreReadAndWritten() throws {
    let visits = try database.collection("visits")
    let first = try visits.document("1")
    try database.runTransaction { transaction in
      #expect(try transaction.getDocument(first, as: Visit?.self) == nil)
      try transaction.create(from: Visit(city: "tokyo", days: 2), for: first)
    }
    try database.runTransaction { transaction in
      var visit = try transaction.getDocument(first, as: Visit.self)
      visit.days += 1
      try transaction.setData(from: visit, for: first)
    }
    #expect(try first.getDocument(as: Visit.self) == Visit(city: "tokyo", days: 3))
  }

  // MARK: Asynchronous

  @Test func tasksLoseNoUpdate() async throws {
    let database = database
    let tokyo = tokyo
    let options = TransactionOptions(maxAttempts: 1_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10 {
            // A closure that waits for nothing runs on a thread of Hearth's, one that does in the
            // task.
            try await database.runTransaction(options) { transaction in
              let visits = try transaction.getDocument(tokyo).value("visits")?.integerValue
              try transaction.updateData(
                ["visits": .value(.integer((visits ?? 0) + 1))], for: tokyo)
            }
            try await database.runTransaction(options) { transaction in
              let visits = try await transaction.getDocument(tokyo).value("visits")?.integerValue
              try transaction.updateData(
                ["visits": .value(.integer((visits ?? 0) + 1))], for: tokyo)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try visits() == 160)
  }

  @Test func aCancelledTaskCommitsNothing() async throws {
    let database = database
    let tokyo = tokyo
    let task = Task {
      try await database.runTransaction { transaction in
        #expect(try await transaction.getDocument(tokyo).exists)
        try transaction.delete(tokyo)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let failure = await #expect(throws: DatabaseError.self) { try await task.value }
    #expect(failure?.code == .cancelled)
    #expect(try await tokyo.getDocument().exists)
  }

  @Test func aTaskThatIsCancelledMakesNoFurtherAttempt() async throws {
    let database = database
    let tokyo = tokyo
    let count = Counter()
    let task = Task {
      try await database.runTransaction(TransactionOptions(maxAttempts: .max)) { transaction in
        _ = try await transaction.getDocument(tokyo)
        try await tokyo.updateData(["visits": .increment(1)])
        try transaction.updateData(["visits": -1], for: tokyo)
        count.increment()
        // Two attempts met a conflict; this one would meet the next.
        if count.value == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let failure = await #expect(throws: DatabaseError.self) { try await task.value }
    #expect(failure?.code == .cancelled)
    #expect(count.value == 3)
  }
}
