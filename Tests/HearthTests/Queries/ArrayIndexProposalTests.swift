import HearthFirestoreJSON
import Hearth
import Testing

/// The index of array elements serves both directions of names, so it is proposed in one form that
/// every way to create an index accepts (§3.4).
@Suite struct ArrayIndexProposalTests {
  private let database: Database
  private let tags = FieldPath(unchecked: ["tags"])
  private var index: IndexDefinition { IndexDefinition("c", [IndexColumn(tags, .contains)]) }

  init() throws {
    database = try Database.inMemory()
    try database.indexes.setOverride([], of: tags, in: "c")
    try database.document("c/x").setData(["tags": ["t"], "a": 1])
  }

  private func query(_ direction: SortDirection, _ filters: [Filter] = []) -> Query {
    database.query(
      StructuredQuery(
        collectionID: "c", filter: .and([.field(tags, .arrayContains, "t")] + filters),
        orders: [Order(.documentID, direction)]))
  }

  private func missing(_ query: Query) throws -> MissingIndex {
    try #require(failure { _ = try query.getDocuments() }?.missingIndex)
  }

  private func expectServed() throws {
    for direction in [SortDirection.ascending, .descending] {
      #expect(try query(direction).getDocuments().documents.count == 1)
    }
  }

  @Test func bothDirectionsAskForOneIndex() throws {
    #expect(try missing(query(.ascending)).index == index)
    #expect(try missing(query(.descending)).index == index)
    let equality = Filter.field(FieldPath(unchecked: ["a"]), .equal, 1)
    #expect(try missing(query(.descending, [equality])).smaller == index)
  }

  @Test func theProposalIsCreated() throws {
    try database.indexes.create(try missing(query(.descending)))
    try expectServed()
  }

  @Test func itsStanzaIsApplied() throws {
    let stanza = IndexStanza.text(for: try missing(query(.descending)), beside: [])
    let file = try IndexFile(json: Array(stanza.utf8))
    try database.indexes.apply(try database.indexes.plan(for: file))
    try expectServed()
  }

  @Test func itsLinkIsThatOfTheSameIndex() throws {
    let links = [SortDirection.ascending, .descending].map { direction in
      failure { _ = try query(direction).getDocuments() }?.message
    }
    #expect(links[0] != nil && links[0] == links[1])
  }

  @Test func theOtherFormIsReadAsThisOne() {
    let other = IndexDefinition(
      "c", [IndexColumn(tags, .contains), IndexColumn(.documentID, .descending)])
    #expect(IndexRequest(other).definitions == [index])
    // Two fields make a composite, which has a direction.
    let composite = IndexDefinition(
      "c",
      [IndexColumn(tags, .contains)] + [
        IndexColumn(FieldPath(unchecked: ["a"]), .ascending), IndexColumn(.documentID, .descending),
      ])
    #expect(IndexRequest(composite).definitions == [composite])
  }

  /// Neither form is a composite, and both are the index of the field.
  @Test(arguments: [IndexMode.ascending, .descending])
  func bothFormsAreTakenAndRefusedAlike(_ name: IndexMode) throws {
    let unnecessary = "this index is not necessary, configure using single field index controls"
    let form = IndexDefinition(
      "c", [IndexColumn(tags, .contains), IndexColumn(.documentID, name)])
    #expect(failure { try database.indexes.create(form) }?.message == unnecessary)
    let item = #"""
      {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
       {"fieldPath": "tags", "arrayConfig": "CONTAINS"},
       {"fieldPath": "__name__", "order": "\#(name.rawValue)"}]}
      """#
    let file = #"{"indexes": [\#(item)], "fieldOverrides": []}"#
    #expect(
      failure { _ = try IndexFile(json: Array(file.utf8)) }?.message
        == "indexes[0]: " + unnecessary)
    try database.indexes.createOrAdd(form)
    try expectServed()
    try database.indexes.dropOrRemove(form)
    #expect(try missing(query(.descending)).index == index)
  }
}
