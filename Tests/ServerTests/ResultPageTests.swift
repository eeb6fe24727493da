import Foundation
import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Testing

/// Results that are read page by page, as their client takes them.
@Suite struct ResultPageTests {
  private typealias Request = Google_Firestore_V1_RunQueryRequest
  private typealias Response = Google_Firestore_V1_RunQueryResponse

  private static let name = "projects/demo-project/databases/(default)"
  private static let count = 2_500

  /// The circumstances of calls that may take as long as a loaded machine needs.
  private static var context: CallContext { CallContext(deadline: .now + .seconds(3600)) }

  private let database: Database
  private let calls: DocumentCalls

  init() throws {
    database = try Database.inMemory(
      history: HistoryLimits(), locks: LockLimits(timeout: .seconds(3600)))
    calls = DocumentCalls(OneDatabase(database: database))
    try database.indexes.create(
      IndexDefinition(
        "items",
        [IndexColumn(FieldPath("a"), .ascending), IndexColumn(FieldPath("n"), .descending)]))
    for start in stride(from: 0, to: Self.count, by: 500) {
      var batch = database.batch()
      for number in start..<start + 500 {
        batch.setData(
          ["a": 1, "n": .integer(Int64(number))], for: try database.document("items/\(number)"))
      }
      try batch.commit()
    }
  }

  /// Returns a request for the documents with a number, the largest number first.
  private func request(_ change: (inout Request) -> Void = { _ in }) -> Request {
    .with { request in
      request.parent = "\(Self.name)/documents"
      request.structuredQuery.from = [.with { $0.collectionID = "items" }]
      request.structuredQuery.where.fieldFilter = .with { filter in
        filter.field.fieldPath = "a"
        filter.op = .equal
        filter.value.integerValue = 1
      }
      request.structuredQuery.orderBy = [
        .with { order in
          order.field.fieldPath = "n"
          order.direction = .descending
        }
      ]
      change(&request)
    }
  }

  private func answers(
    _ request: Request, each: (Response) async throws -> Void = { _ in }
  ) async throws -> [Response] {
    var answers: [Response] = []
    try await calls.runQuery(request, Self.context) { answer in
      answers.append(answer)
      try await each(answer)
    }
    return answers
  }

  private func numbers(_ answers: [Response]) -> [Int] {
    answers.filter(\.hasDocument).compactMap {
      Int($0.document.name.split(separator: "/").last ?? "")
    }
  }

  /// Number of queries that the index has served.
  private func queryCount() throws -> Int {
    try #require(try database.statistics().indexes.first { $0.kind == .composite }?.queryCount)
  }

  /// Changes all documents, so that none is found any more.
  private func changeAll() throws {
    for start in stride(from: 0, to: Self.count, by: 500) {
      var batch = database.batch()
      for number in start..<start + 500 {
        batch.setData(["a": 2], for: try database.document("items/\(number)"))
      }
      try batch.commit()
    }
  }

  private var allNumbers: [Int] { (0..<Self.count).reversed() }

  /// Number of documents that were looked up so far.
  private var readCount: Int {
    let statistics = database.cacheStatistics
    return statistics.documentHitCount + statistics.documentMissCount
  }

  // MARK: Pages

  @Test func allResultsComeInTheirOrder() async throws {
    let answers = try await answers(request())
    #expect(numbers(answers) == allNumbers)
    #expect(answers.count == Self.count)
    #expect(try queryCount() == 1)
  }

  @Test func theOffsetAndTheLimitAreOfAllPages() async throws {
    let answers = try await answers(
      request {
        $0.structuredQuery.offset = 10
        $0.structuredQuery.limit.value = 2_000
      })
    #expect(numbers(answers) == Array(allNumbers[10..<2_010]))
    #expect(answers.map(\.skippedResults).filter { $0 > 0 } == [10])
  }

  @Test func namesAlonePageToo() async throws {
    let answers = try await answers(
      request { $0.structuredQuery.select.fields = [.with { $0.fieldPath = "__name__" }] })
    #expect(numbers(answers) == allNumbers)
    #expect(answers.allSatisfy { $0.document.fields.isEmpty })
  }

  /// Implicit orders would count as filters if they were written out.
  @Test func aQueryWithAllFiltersItMayHaveGoesOn() async throws {
    let answers = try await answers(
      request { request in
        let one = request.structuredQuery.where
        let any = Google_Firestore_V1_StructuredQuery.Filter.with { filter in
          filter.fieldFilter.field.fieldPath = "a"
          filter.fieldFilter.op = .in
          filter.fieldFilter.value.arrayValue.values = (Int64(1)...25).map { number in
            .with { $0.integerValue = number }
          }
        }
        request.structuredQuery.where.compositeFilter = .with { filter in
          filter.op = .and
          filter.filters = [any, one, one, one]
        }
        request.structuredQuery.orderBy = []
      })
    #expect(answers.count == Self.count)
  }

  @Test func theToolGetsAllPages() throws {
    let query = try database.collection("items").order(by: "n")
    var ids: [String] = []
    let answer = try ExplainCall(RunnableQuery(query), .answer).perform(on: database) {
      ids.append($0.name.path.lastSegment ?? "")
    }
    #expect(ids == (0..<Self.count).map(String.init))
    #expect(answer.explanation.execution?.resultCount == Self.count)
  }

  // MARK: The client

  @Test func nothingIsReadAheadOfTheClient() async throws {
    let before = readCount
    var taken = 0
    var counts: [Int] = []
    _ = try await answers(request()) { _ in
      taken += 1
      if [1, 1_024, 1_025].contains(taken) { counts.append(readCount - before) }
    }
    #expect(counts == [1_024, 1_024, 2_048])
  }

  @Test func aClientThatGoesAwayEndsTheReading() async throws {
    struct Gone: Error {}
    let before = readCount
    await #expect(throws: Gone.self) { _ = try await answers(request()) { _ in throw Gone() } }
    #expect(readCount - before == 1_024)
  }

  @Test(arguments: [(1, 1_024), (1_024, 1_024), (1_025, 2_048)])
  func aCancelledCallReadsNoFurtherPage(message: Int, pageEnd: Int) async throws {
    var taken = 0
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await answers(request()) { _ in
        taken += 1
        if taken == message { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    #expect(error?.code == .cancelled)
    #expect(taken == pageEnd)
  }

  // MARK: Versions

  @Test func allPagesAreOfOneMoment() async throws {
    var isFirst = true
    let answers = try await answers(request()) { _ in
      if isFirst { try changeAll() }
      isFirst = false
    }
    #expect(numbers(answers) == allNumbers)
    #expect(Set(answers.map(\.readTime)).count == 1)
    #expect(numbers(try await self.answers(request())).isEmpty)
  }

  @Test func allPagesAreOfTheRequestedTime() async throws {
    let time = try await database.snapshot().readTime
    try changeAll()
    let answers = try await answers(
      request { request in
        request.readTime.seconds = time.microseconds / 1_000_000
        request.readTime.nanos = Int32(time.microseconds % 1_000_000) * 1_000
      })
    #expect(numbers(answers) == allNumbers)
  }

  @Test func allPagesAreOfATransactionThatOnlyReads() async throws {
    let answers = try await answers(request { $0.newTransaction.readOnly = .init() }) {
      if !$0.hasDocument { try changeAll() }
    }
    #expect(answers.first?.transaction.isEmpty == false)
    #expect(numbers(answers) == allNumbers)
  }

  @Test func allPagesAreLockedByTheFirst() async throws {
    var writer: Task<Void, any Error>?
    let answers = try await answers(request { $0.newTransaction.readWrite = .init() }) { answer in
      // The last result is on the third page.
      if !answer.hasDocument { writer = try await waitingWriter(of: "items/0") }
    }
    #expect(numbers(answers) == allNumbers)
    #expect(Set(answers.dropFirst().map(\.readTime)).count == 1)
    #expect(database.lockWaitCount == 1)
    try await TransactionClient(calls).rollback(try #require(answers.first?.transaction))
    try await writer?.value
  }

  /// Starts to write a document, and returns the writer when it waits for a lock.
  private func waitingWriter(of id: String) async throws -> Task<Void, any Error> {
    let client = TransactionClient(calls)
    return try await database.waiting { try await client.write(id, 0) }
  }

  @Test func anOptimisticTransactionDependsOnAllPages() async throws {
    let client = TransactionClient(calls)
    let answers = try await answers(
      request { $0.newTransaction.readWrite.concurrencyMode = .optimistic }
    ) {
      if !$0.hasDocument { try await client.write("items/0", 0) }
    }
    #expect(numbers(answers) == allNumbers)
    let transaction = try #require(answers.first?.transaction)
    let error = await #expect(throws: DatabaseError.self) {
      try await client.write("other/a", 1, in: transaction)
    }
    #expect(error?.code == .aborted)
  }

  // MARK: Named documents

  private typealias Named = Google_Firestore_V1_BatchGetDocumentsResponse

  private var names: [String] { (0..<100).map { "\(Self.name)/documents/items/\($0)" } }

  private func named(
    _ names: [String],
    _ change: (inout Google_Firestore_V1_BatchGetDocumentsRequest) -> Void = { _ in },
    each: (Named) async throws -> Void
  ) async throws -> [Named] {
    let request = Google_Firestore_V1_BatchGetDocumentsRequest.with { request in
      request.database = Self.name
      request.documents = names
      change(&request)
    }
    var answers: [Named] = []
    try await calls.batchGetDocuments(request, Self.context) { answer in
      answers.append(answer)
      try await each(answer)
    }
    return answers
  }

  @Test func namedDocumentsAreOfOneMoment() async throws {
    let none = "\(Self.name)/documents/items/none"
    var isFirst = true
    let answers = try await named([none] + names + names) { _ in
      if isFirst { try changeAll() }
      isFirst = false
    }
    #expect(answers.map(\.found.name) == names + [""])
    #expect(answers.last?.missing == none)
    #expect(answers.dropLast().allSatisfy { $0.found.fields.first?.value.integerValue == 1 })
    #expect(Set(answers.map(\.readTime)).count == 1)
  }

  @Test func namedDocumentsAreLockedByTheFirst() async throws {
    var writer: Task<Void, any Error>?
    let answers = try await named(names, { $0.newTransaction.readWrite = .init() }) { answer in
      if answer.found.name.isEmpty { writer = try await waitingWriter(of: "items/99") }
    }
    #expect(answers.dropFirst().map(\.found.name) == names)
    #expect(database.lockWaitCount == 1)
    try await TransactionClient(calls).rollback(try #require(answers.first?.transaction))
    try await writer?.value
  }

  @Test func aCancelledCallReadsNoFurtherNames() async throws {
    var taken = 0
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await named(names) { _ in
        taken += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(error?.code == .cancelled)
    #expect(taken == 32)
  }

  // MARK: Metrics

  @Test func theMetricsAreOfAllPages() async throws {
    let answers = try await answers(request { $0.explainOptions.analyze = true })
    #expect(numbers(answers) == allNumbers)
    #expect(answers.dropLast().allSatisfy { !$0.hasExplainMetrics })
    #expect(
      answers.last?.explainMetrics.executionStats.resultsReturned == Int64(Self.count))
  }
}
