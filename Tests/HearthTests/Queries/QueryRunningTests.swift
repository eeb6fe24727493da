import Hearth
import TestSupport
import Testing

@Suite struct QueryRunningTests {
  private let cities: CollectionReference

  init() throws { cities = try Cities().collection }

  @Test func aSnapshotHoldsDocumentsAndWork() throws {
    let result = try cities.order(by: "population").limit(to: 2).getDocuments()
    #expect(result.count == 2)
    #expect(!result.isEmpty)
    #expect(try result.documents[1].value("population") == 1_720_000)
    #expect(try result.documents[0].reference == cities.document("kyoto"))
    #expect(result.documents[0].exists)
    #expect(result.statistics.entriesRead == 2)
    #expect(result.statistics.documentsRead == 2)
    #expect(try cities.whereField("country", isEqualTo: "US").getDocuments().isEmpty)
  }

  /// Results share the names of their fields as long as they look alike.
  @Test func resultsThatLookDifferentHaveTheirOwnFields() throws {
    let long = String(repeating: "n", count: 40)
    var one = MapValue()
    (one[long], one[long + "m"]) = (1, 2)
    var other = MapValue()
    (other[long], other[long + "o"]) = (3, 4)
    let nested: MapValue = ["a": ["x": 1, "y": 2], "b": [1, 2]]
    let contents: [MapValue] = [
      ["a": 1, "b": 2], ["a": 3, "b": "four"], ["a": 5, "c": 6], ["a": 7], [:], nested,
      ["a": 8, "b": 9, "c": 10], one, [:], other, [:], ["a": 1, "b": 2],
    ]
    let mixed = try cities.database.collection("mixed")
    for (number, fields) in contents.enumerated() {
      try mixed.document(String(100 + number)).setData(fields)
    }
    let documents = try mixed.getDocuments().documents
    #expect(try documents.map { try $0.data() } == contents)
    #expect(try documents.reversed().map { try $0.data() } == contents.reversed())
  }

  @Test func countsWithinTheLimit() throws {
    #expect(try cities.whereField("country", isEqualTo: "JP").count() == 3)
    #expect(try cities.limit(to: 2).count() == 2)
    #expect(try cities.order(by: "population").limit(toLast: 2).count() == 2)
    #expect(try cities.order(by: "population").offset(4).count() == 1)
  }

  @Test func handsOutDocumentsUntilToldToStop() throws {
    var ids: [String] = []
    try cities.forEachDocument { document in
      ids.append(document.id)
      return ids.count < 3
    }
    #expect(ids == ["atlantis", "kyoto", "lyon"])
    ids = []
    try cities.order(by: "population").limit(to: 10).forEachDocument { document in
      ids.append(document.id)
      return true
    }
    #expect(ids.count == 5)
  }

  @Test func handsOnWhatItsReaderThrows() throws {
    let error = failure {
      try cities.forEachDocument { _ throws(DatabaseError) in
        throw DatabaseError(.aborted, "enough")
      }
    }
    #expect(error?.code == .aborted)
    #expect(error?.message == "enough")
  }

  @Test func theLastResultsAreNotHandedOutOneByOne() throws {
    let query = try cities.order(by: "population").limit(toLast: 2)
    #expect(code { try query.forEachDocument { _ in true } } == .unimplemented)
  }

  @Test func aQueryThatIsOutOfTimeIsStopped() throws {
    let query = try cities.order(by: "population")
    #expect(code { _ = try query.getDocuments(timeout: .zero) } == .deadlineExceeded)
    #expect(code { _ = try query.count(timeout: .zero) } == .deadlineExceeded)
    #expect(code { _ = try query.explain(timeout: .zero) } == .deadlineExceeded)
    let reading = code { try query.forEachDocument(timeout: .zero) { _ in true } }
    #expect(reading == .deadlineExceeded)
    #expect(try query.getDocuments(timeout: .seconds(3600)).count == 5)
  }

  @Test func aQueryWithATimeoutEndsWithItsTask() async throws {
    let query = try cities.order(by: "population")
    @Sendable func read(_ timeout: Duration?) -> DatabaseError.Code? {
      withUnsafeCurrentTask { $0?.cancel() }
      return code { _ = try query.getDocuments(timeout: timeout) }
    }
    #expect(await Task { read(.seconds(3600)) }.value == .cancelled)
    #expect(await Task { read(nil) }.value == nil)
  }

  @Test func everyCallWorksAsynchronously() async throws {
    let query = try cities.order(by: "population").limit(toLast: 2)
    #expect(try await query.getDocuments().documents.map(\.id) == ["osaka", "tokyo"])
    #expect(try await query.count() == 2)
    #expect(try await query.explain().resultCount == 2)
    #expect(try await cities.getDocuments().count == 6)
    #expect(await code { _ = try await query.count(timeout: .zero) } == .deadlineExceeded)
    let stopped = await code { try await cities.forEachDocument(timeout: .zero) { _ in true } }
    #expect(stopped == .deadlineExceeded)
    let failed = await code {
      try await cities.forEachDocument { document throws(DatabaseError) in
        guard document.id != "lyon" else { throw DatabaseError(.aborted, document.id) }
        return true
      }
    }
    #expect(failed == .aborted)
  }

  @Test func aCancelledTaskStartsNothing() async throws {
    let lyon = try cities.document("lyon")
    let cities = cities
    let task = Task {
      // The task continues once it is cancelled, so that every call finds it cancelled.
      while !Task.isCancelled { await Task.yield() }
      return [
        await code { _ = try await cities.getDocuments() },
        await code { _ = try await cities.count() },
        await code { try await lyon.delete() },
      ]
    }
    task.cancel()
    #expect(await task.value == [.cancelled, .cancelled, .cancelled])
    #expect(try await lyon.getDocument().exists)
  }

  /// Documents that aren't kept in memory lie in the memory of those before them, unless a caller
  /// has kept these.
  @Test func keptSnapshotsStayAsTheyWere() throws {
    let folder = try TemporaryFolder()
    var options = Database.Options()
    options.documentCacheByteCount = 0
    let database = try Database.open(at: folder.path(of: "db"), options: options)
    let numbers = try database.collection("numbers")
    func text(_ number: Int) -> String { String(repeating: "\(number)", count: number % 7 + 1) }
    for number in 100..<200 {
      try numbers.document("\(number)").setData(["text": .string(text(number))])
    }
    var kept: [(number: Int, document: DocumentSnapshot)] = []
    var seen = 0
    try numbers.forEachDocument { document throws(DatabaseError) in
      let number = Int(document.id) ?? 0
      #expect(try document.value("text") == .string(text(number)))
      if number.isMultiple(of: 3) || number.isMultiple(of: 4) { kept.append((number, document)) }
      seen += 1
      return true
    }
    #expect(seen == 100 && kept.count == 50)
    for (number, document) in kept {
      #expect(try document.id == "\(number)" && document.value("text") == .string(text(number)))
    }
  }
}
