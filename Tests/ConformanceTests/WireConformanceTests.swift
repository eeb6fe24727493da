import Testing

/// Sends all recorded rows to a server, those too that are about a server alone.
@Suite(.timeLimit(.minutes(10))) struct WireConformanceTests {
  @Test(arguments: ConformanceTests.programs)
  func programIsAnsweredAsProductionDoes(_ program: String) async throws {
    try await replay(try RecordedRow.all().filter { $0.program == program })
  }

  @Test(arguments: ConformanceTests.ownPrograms)
  func programIsAnsweredAsThePagesSay(_ program: String) async throws {
    try await replay(try RecordedRow.own().filter { $0.program == program })
  }

  /// Rows without a place in a sequence have a server of their own.
  private func replay(_ rows: [RecordedRow]) async throws {
    let isSequence = rows.contains { $0.sequence != nil }
    for rows in isSequence ? [rows] : rows.map({ [$0] }) {
      guard let first = rows.first else { continue }
      try await WireSession.run(seed: first.seed, indexes: first.indexes) { session in
        for row in rows {
          let answer = try await session.answer(row)
          for difference in try Expectation(of: row, answer).differences() {
            Issue.record("\(row): \(difference)")
          }
        }
      }
    }
  }
}
