import Testing

/// Replays production's recorded answers, and the answers that this project has fixed beside them
/// (`Tests/Fixtures/conformance`).
@Suite struct ConformanceTests {
  static let programs = programs(of: try? RecordedRow.all())
  static let ownPrograms = programs(of: try? RecordedRow.own())

  private static func programs(of rows: [RecordedRow]?) -> [String] {
    Set((rows ?? []).map(\.program)).sorted()
  }

  @Test func everyOtherRowIsReplayed() throws {
    let rows = try RecordedRow.all()
    #expect(rows.count == 487)
    #expect(rows.count { UnansweredRows.reason($0) != nil } == 28)
    #expect(Set(rows.map(\.description)).count == rows.count)
  }

  @Test(arguments: programs) func programIsAnsweredAsProductionDoes(_ program: String) throws {
    try replay(try RecordedRow.all().filter { $0.program == program })
  }

  @Test func everyOwnRowHasAName() throws {
    let rows = try RecordedRow.own()
    #expect(!rows.isEmpty)
    #expect(Set(rows.map(\.description)).count == rows.count)
  }

  @Test(arguments: ownPrograms) func programIsAnsweredAsThePagesSay(_ program: String) throws {
    try replay(try RecordedRow.own().filter { $0.program == program })
  }

  private func replay(_ rows: [RecordedRow]) throws {
    let rows = rows.filter { UnansweredRows.reason($0) == nil }
    let isSequence = rows.contains { $0.sequence != nil }
    var session: RecordedSession?
    for row in rows {
      let present = isSequence ? session : nil
      let current = try present ?? RecordedSession(seed: row.seed, indexes: row.indexes)
      session = current
      let differences = try Expectation(of: row, current.answer(row)).differences()
      for difference in differences { Issue.record("\(row): \(difference)") }
    }
  }
}
