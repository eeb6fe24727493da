import AdminSocket
import FirestoreJSON
import Hearth
import Testing
import hearth

/// The row of `index list` for an index that is being built.
@Suite struct IndexRowTests {
  private let definition = IndexDefinition(
    "c", [IndexColumn(FieldPath(unchecked: ["a"]), .ascending)])

  private func row(_ state: IndexBuild.State, stalledSeconds: Double? = nil) throws -> IndexRow {
    let build = try IndexBuild.Status(
      .members([
        "subject": IndexBuild.Subject.index(definition).json, "state": .string(state.word),
        "documentsDone": .integer(41), "documentsTotal": .integer(100), "fraction": .double(0.41),
        "entriesWritten": .integer(0), "stalledSeconds": stalledSeconds.map(JSONValue.double),
      ]))
    let index = try IndexAdministration.CompositeIndex(
      .members([
        "definition": definition.json, "state": .string("CREATING"), "isHidden": .boolean(false),
        "isCovering": .boolean(false), "isCoveringChanging": .boolean(false),
      ]))
    return IndexRow(index, [build])
  }

  @Test func tellsWhetherABuildGoesOn() throws {
    #expect(try row(.building).cells.last == "CREATING 41%")
    #expect(try row(.paused).cells.last == "CREATING 41% PAUSED")
    #expect(try row(.building, stalledSeconds: 45).cells.last == "CREATING 41% STALLED")
  }
}
