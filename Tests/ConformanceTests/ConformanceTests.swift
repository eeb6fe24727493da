import Testing

/// Replays what production answered (`Tests/Fixtures/conformance`).
@Suite struct ConformanceTests {
  static let programs: [String] = {
    let programs = (try? RecordedRow.all())?.map(\.program) ?? []
    return Set(programs).sorted()
  }()

  @Test func everyOtherRowIsReplayed() throws {
    let rows = try RecordedRow.all()
    #expect(rows.count == 487)
    #expect(rows.count { UnansweredRows.reason($0) != nil } == 34)
    #expect(Set(rows.map(\.description)).count == rows.count)
  }

  @Test(arguments: programs) func programIsAnsweredAsProductionDoes(_ program: String) throws {
    let rows = try RecordedRow.all().filter {
      $0.program == program && UnansweredRows.reason($0) == nil
    }
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
