import HearthAdminSocket
import HearthFirestoreJSON
import Hearth
import Testing
import hearth

/// The row of `index list` for an index that is being built.
@Suite struct IndexRowTests {
  private let definition = IndexDefinition(
    "c", [IndexColumn(FieldPath(unchecked: ["a"]), .ascending)])

  private var definitionText: [UInt8] {
    var bytes: [UInt8] = []
    AdminEncoder.append(definition, to: &bytes)
    return bytes
  }

  private func row(_ state: IndexBuild.State, stalledSeconds: Double? = nil) throws -> IndexRow {
    var build = BuildStatus(number: 1, .index(definition), state, nil)
    build.documentsDone = 41
    build.documentsTotal = 100
    build.fraction = 0.41
    build.stalledSeconds = stalledSeconds
    let index = try AdminDecoder.read(
      IndexAdministration.CompositeIndex.self,
      from: .object([
        ("definition", JSONValue(parsing: definitionText)), ("state", .string("CREATING")),
      ]))
    return IndexRow(index, [build])
  }

  @Test func tellsWhetherABuildGoesOn() throws {
    #expect(try row(.building).cells.last == "CREATING 41%")
    #expect(try row(.paused).cells.last == "CREATING 41% PAUSED")
    #expect(try row(.building, stalledSeconds: 45).cells.last == "CREATING 41% STALLED")
  }

  /// Entries are counted since the database was opened, which a build that went on must say.
  @Test func tellsSinceWhenEntriesAreCounted() {
    var build = BuildStatus(number: 1, .index(definition), .ready, nil)
    build.documentsDone = 3000
    build.entriesWritten = 2000
    #expect(BuildRow(build).line == "Built the index (a ASC) of c: 3,000 documents, 2,000 entries.")
    build.documentsDoneEarlier = 1000
    #expect(
      BuildRow(build).line == "Built the index (a ASC) of c: 3,000 documents. It went on after "
        + "1,000 of them, and has written 2,000 entries since.")
  }
}
