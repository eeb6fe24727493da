import Hearth
import Testing

// The code of IndexesInProduction.md, word for word: DocumentationTests compares the two.

func deploy(_ text: String, to database: Database) throws -> IndexFilePlan {
  let plan = try database.indexes.plan(for: IndexFile(text: text))
  try database.indexes.apply(plan)
  return plan
}

func build(_ definitions: [IndexDefinition], in database: Database) async throws {
  let pace = BuildPace(maximumLatency: .milliseconds(5))
  for build in try await database.indexes.begin(definitions, pace: pace) {
    for await status in build.updates {
      print("\(status.subject): \(Int(status.fraction * 100)) %")
    }
  }
}

func isSound(_ database: Database) async throws -> Bool {
  let report = try await database.verifyQuickly()
  let chance = report.documentDetection(ofShare: 0.001)
  print("\(report.findings.problemCount) problems; 1 in 1,000 is noticed at \(chance)")
  return report.isClean
}

func expireSessions(in database: Database) throws {
  try database.timesToLive.set(FieldPath("expiresAt"), in: "sessions")
  try database.timesToLive.sweep()
}

func retire(_ index: IndexDefinition, in database: Database) throws {
  try database.indexes.hide(index)
  // After some days without a complaint: `drop`. Otherwise: `unhide`.
}

@Suite struct IndexesInProductionExampleTests {
  private let cities: Cities

  init() throws { cities = try Cities() }

  private let newest = """
    {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "country", "order": "ASCENDING"},
      {"fieldPath": "population", "order": "DESCENDING"}]}],
     "fieldOverrides": []}
    """

  @Test func deploysOnce() throws {
    #expect(try deploy(newest, to: cities.database).steps.count == 1)
    #expect(try deploy(newest, to: cities.database).steps.isEmpty)
    let exported = try cities.database.indexes.file().text
    #expect(try deploy(exported, to: cities.database).steps.isEmpty)
  }

  @Test func isSoundAfterwards() async throws {
    try await cities.database.indexes.keepSums()
    try await cities.collection.document("nara").setData(["country": "JP"])
    #expect(try await isSound(cities.database))
  }

  @Test func expires() throws {
    let sessions = try cities.database.collection("sessions")
    try sessions.document("old").setData(["expiresAt": .timestamp(.minimum)])
    try sessions.document("new").setData(["expiresAt": .timestamp(.maximum)])
    try sessions.document("other").setData(["expiresAt": 1])
    try expireSessions(in: cities.database)
    #expect(try sessions.getDocuments().documents.map(\.id) == ["new", "other"])
  }

  @Test func buildsAndRetires() async throws {
    let definition = try IndexFile(text: newest).composites[0]
    try await build([definition], in: cities.database)
    let japan = try cities.collection.whereField("country", isEqualTo: "JP")
      .order(by: "population", descending: true)
    #expect(try await !japan.getDocuments().isEmpty)
    try retire(definition, in: cities.database)
    await #expect(throws: DatabaseError.self) { try await japan.getDocuments() }
    #expect(try await cities.database.indexes.list().map(\.isHidden) == [true])
  }
}
