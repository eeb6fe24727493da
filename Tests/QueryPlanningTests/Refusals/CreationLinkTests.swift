import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The console's links (§6.1) and their tokens (§6.2).
struct CreationLinkTests {
  static let head =
    "https://console.firebase.google.com/v1/r/project/demo-project/firestore/indexes?"
  static let nameOfTodos =
    "Ckpwcm9qZWN0cy9kZW1vLXByb2plY3QvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9u"
    + "R3JvdXBzL3RvZG9zL2luZGV4ZXMvXx"

  @Test(arguments: [
    (
      index("userId, createdTime", in: "todos"),
      "create_composite=" + nameOfTodos
        + "ABGgoKBnVzZXJJZBABGg8KC2NyZWF0ZWRUaW1lEAEaDAoIX19uYW1lX18QAQ"
    ),
    (
      index("userId, createdTime desc", in: "todos"),
      "create_composite=" + nameOfTodos
        + "ABGgoKBnVzZXJJZBABGg8KC2NyZWF0ZWRUaW1lEAIaDAoIX19uYW1lX18QAg"
    ),
    (
      index("tags contains, createdTime", in: "todos", scope: .collectionGroup),
      "create_composite=" + nameOfTodos
        + "ACGggKBHRhZ3MYARoPCgtjcmVhdGVkVGltZRABGgwKCF9fbmFtZV9fEAE"
    ),
    (
      index("priority", in: "todos", scope: .collectionGroup),
      "create_exemption=ClBwcm9qZWN0cy9kZW1vLXByb2plY3QvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9u"
        + "R3JvdXBzL3RvZG9zL2ZpZWxkcy9wcmlvcml0eRACGgwKCHByaW9yaXR5EAE"
    ),
  ])
  func vector(_ index: IndexDefinition, _ expected: String) {
    #expect("\(CreationLink(to: index, in: .default))" == CreationLinkTests.head + expected)
  }

  @Test func namedDatabaseStandsInThePathAndInTheToken() throws {
    let database = try DatabaseID(project: "p", database: "d1")
    let link = "\(CreationLink(to: index("a, b"), in: database))"
    let head =
      "https://console.firebase.google.com/v1/r/project/p/firestore/databases/d1/indexes?"
      + "create_composite="
    #expect(link.hasPrefix(head))
    let token = try #require(DecodedToken(String(link.dropFirst(head.count))))
    #expect(token.name == "projects/p/databases/d1/collectionGroups/c/indexes/_")
  }

  /// A message longer than 127 bytes has a length of two bytes.
  @Test func longNamesAndQuotedFieldsAreReadBack() throws {
    let quoted = String(repeating: "x", count: 200) + ".`a.b`"
    let index = index("\(quoted), b desc", in: String(repeating: "g", count: 300))
    let link = "\(CreationLink(to: index, in: .default))"
    let text = try #require(RefusalText(link))
    #expect(text.token.index == index)
  }
}

/// The refusal while the index that it names is being built (§3.7, §6.1).
struct BuildingIndexTests {
  @Test func compositeBeingBuiltIsNamedByItsID() throws {
    let indexes = IndexSet(composites: [
      CompositeIndex(id: 37, definition: index("a, b"), state: .creating)
    ])
    let error = try #require(refusal(of: query(equal("a"), by: "b"), indexes))
    #expect(error.missingIndex?.isBuilding == true)
    #expect(error.missingIndex?.smaller == nil)
    let text = try #require(RefusalText(error.message))
    #expect(
      text.template
        == "The query requires an index. That index is currently building and cannot be used yet. "
        + "See its status here: \(CreationLinkTests.head)create_composite=<token>")
    #expect(text.token.name.hasSuffix("/indexes/37"))
  }

  @Test func singleFieldIndexBeingBuilt() throws {
    let override = FieldOverride("c", field("a"), [SingleFieldIndex(.ascending): .creating])
    let error = try #require(refusal(of: query(equal("a")), IndexSet(overrides: [override])))
    #expect(error.missingIndex?.isBuilding == true)
    let text = try #require(RefusalText(error.message))
    #expect(
      text.template
        == "The query requires a COLLECTION_ASC index for collection c and field a. That index is "
        + "not ready yet. See its status here: \(CreationLinkTests.head)create_exemption=<token>")
  }

  /// Another index that would do is being built: the words describe the missing index (§5.3), and
  /// the error carries the index to wait for.
  @Test func otherIndexBeingBuiltIsNotWhatTheWordsNeed() throws {
    let indexes = IndexSet(composites: [
      CompositeIndex(id: 1, definition: index("a, c"), state: .creating),
      CompositeIndex(id: 2, definition: index("b, c"), state: .ready),
    ])
    let error = try #require(refusal(of: query(equal("a"), equal("b"), by: "c"), indexes))
    let missing = try #require(error.missingIndex)
    #expect("\(missing.index)" == "(a ASC, b ASC, c ASC, __name__ ASC)")
    #expect(missing.smaller == nil && missing.building == [index("a, c")])
    #expect(error.message.hasPrefix("The query requires an index. You can create it here: "))
  }
}
