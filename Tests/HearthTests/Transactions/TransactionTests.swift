import HearthDocumentEngine
import Hearth
import HearthOrderedStore
import TestSupport
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
        // The transaction still sees its moment.
        #expect(try transaction.getDocument(tokyo).value("visits") == seen.last)
      }
      try transaction.updateData(["visits": 10], for: tokyo)
    }
    #expect(seen == [nil, 1, 2])
    #expect(try visits() == 10)
  }

  /// Longer than any of these tests takes, but not for ever, so that a failing test ends.
  private let longHold: UInt64 = 3_600_000_000_000

  /// Returns a database in which the last attempt holds others up for a given time.
  private func database(holding nanoseconds: UInt64) throws -> (Database, DocumentReference) {
    var settings = EngineSettings()
    settings.holdingNanoseconds = nanoseconds
    let database = try Database.over(MemoryStore(), settings: settings)
    let counter = try database.document("c/counter")
    try counter.setData(["count": 0])
    return (database, counter)
  }

  @Test func attemptsEnd() throws {
    let (database, counter) = try database(holding: 0)
    for (options, expected) in [
      (TransactionOptions(), 5), (TransactionOptions(maxAttempts: 2), 2),
    ] {
      var count = 0
      let failure = failure {
        try database.runTransaction(options) { transaction in
          _ = try transaction.getDocuments(counter.parent.order(by: "count"))
          count += 1
          try onThreads(1) { _ in try counter.updateData(["count": .increment(1)]) }
          try transaction.updateData(["visits": -1], for: counter)
        }
      }
      #expect(failure?.code == .aborted)
      #expect(
        failure?.message == "Too much contention on these documents. Please try again.")
      #expect(count == expected)
    }
    #expect(try counter.getDocument().value("visits") == nil)
    #expect(
      code { try database.runTransaction(TransactionOptions(maxAttempts: 0)) { _ in } }
        == .invalidArgument)
  }

  // MARK: The last attempt

  /// Makes the first attempts of two transactions meet a conflict; any of them may write.
  private func conflict(_ count: Int, with counter: DocumentReference) throws {
    if count == 1 { try counter.updateData(["count": .increment(10)]) }
  }

  @Test func aWriteWithinTheLastAttemptIsRefused() throws {
    let (database, counter) = try database(holding: longHold)
    for inside in [
      { _ = try counter.updateData(["count": 0]) },
      { try database.runTransaction { try $0.updateData(["count": 0], for: counter) } },
      { _ = try database.batch().commit() },
      { try database.close() },
    ] as [() throws -> Void] {
      var count = 0
      let failure = failure {
        try database.runTransaction(TransactionOptions(maxAttempts: 2)) { transaction in
          count += 1
          _ = try transaction.getDocument(counter)
          try conflict(count, with: counter)
          try transaction.updateData(["count": 1], for: counter)
          if count == 2 { try inside() }
        }
      }
      #expect(failure?.code == .failedPrecondition)
      #expect(failure?.message.contains("would wait for itself") == true)
      #expect(count == 2)
    }
    // No other call is held up any more.
    try counter.setData(["count": 0])
  }

  /// Reads don't wait, so they are admitted.
  @Test func aReadWithinTheLastAttemptIsAnswered() throws {
    let (database, counter) = try database(holding: longHold)
    var count = 0
    let seen = try database.runTransaction(TransactionOptions(maxAttempts: 2)) { transaction in
      count += 1
      let seen = try transaction.getDocument(counter).value("count")
      try conflict(count, with: counter)
      #expect(try counter.parent.count() == 1)
      try transaction.updateData(["count": 1], for: counter)
      return seen
    }
    #expect(count == 2)
    #expect(seen == 10)
  }

  /// A caller that asks for one attempt receives the conflict, and holds no other call up.
  @Test func aSingleAttemptHoldsUpNoOtherCall() throws {
    let (database, counter) = try database(holding: longHold)
    let failure = failure {
      try database.runTransaction(TransactionOptions(maxAttempts: 1)) { transaction in
        _ = try transaction.getDocument(counter)
        try counter.updateData(["count": 5])
        try transaction.updateData(["count": 1], for: counter)
      }
    }
    #expect(failure?.code == .aborted)
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
    // Even an error that looks like a conflict is not tried again.
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
            // A closure that never waits runs on a thread of Hearth's; one that waits runs in the
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

  /// On one document, with two attempts for each: no transaction gives up.
  @Test func fiftyTasksOnOneCounterAllCommit() async throws {
    let (database, counter) = try database(holding: longHold)
    let options = TransactionOptions(maxAttempts: 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<50 {
        group.addTask {
          for _ in 0..<3 {
            guard task.isMultiple(of: 2) else {
              try await database.runTransaction(options) { transaction in
                let count = try transaction.getDocument(counter).value("count")?.integerValue
                try transaction.updateData(
                  ["count": .value(.integer((count ?? 0) + 1))], for: counter)
              }
              continue
            }
            try await database.runTransaction(options) { transaction in
              let count = try await transaction.getDocument(counter).value("count")?.integerValue
              try transaction.updateData(
                ["count": .value(.integer((count ?? 0) + 1))], for: counter)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await counter.getDocument().value("count") == 150)
  }

  /// Reads don't wait, however many commits the last attempt of a transaction holds up.
  @Test(.timeLimit(.minutes(60))) func readsOfTasksDoNotWait() async throws {
    let (database, counter) = try database(holding: longHold)
    let attempts = Counter()
    let writers = try await database.runTransaction(TransactionOptions(maxAttempts: 2)) {
      transaction -> [Task<Void, any Error>] in
      _ = try await transaction.getDocument(counter)
      attempts.increment()
      try transaction.updateData(["count": 1], for: counter)
      guard attempts.value == 2 else {
        _ = try await counter.updateData(["count": .increment(1)])
        return []
      }
      let writers = try (0..<200).map { number in
        let document = try counter.parent.document("d\(number)")
        return Task.detached { _ = try await document.setData(["n": 1]) }
      }
      while database.heldCommitCount < writers.count {
        try Task.checkCancellation()
        await Task.yield()
      }
      // Detached, since calls from inside have threads of their own.
      #expect(try await Task.detached { try await counter.getDocument().exists }.value)
      #expect(database.heldCommitCount == writers.count)
      return writers
    }
    #expect(writers.count == 200)
    for writer in writers { try await writer.value }
    #expect(try await counter.parent.count() == 201)
  }

  /// A write is refused in the attempt's own calls, and in the tasks that it starts.
  @Test func aTaskThatWritesInsideOfItsLastAttemptIsRefused() async throws {
    let (database, counter) = try database(holding: longHold)
    for inside in [
      { _ = try await counter.updateData(["count": 0]) },
      { try await Task { _ = try await counter.updateData(["count": 0]) }.value },
      { try await database.runTransaction { try $0.updateData(["count": 0], for: counter) } },
    ] as [@Sendable () async throws -> Void] {
      let attempts = Counter()
      let failure = await #expect(throws: DatabaseError.self) {
        try await database.runTransaction(TransactionOptions(maxAttempts: 2)) { transaction in
          attempts.increment()
          _ = try await transaction.getDocument(counter)
          if attempts.value == 1 { try await counter.updateData(["count": .increment(10)]) }
          try transaction.updateData(["count": 1], for: counter)
          if attempts.value == 2 { try await inside() }
        }
      }
      #expect(failure?.code == .failedPrecondition)
      #expect(attempts.value == 2)
    }
    _ = try await counter.setData(["count": 0])
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
