import Foundation
import Hearth
import Testing

/// The property wrapper `@DocumentID`, and a stored field of the same name.
@Suite struct DocumentIDTests {
  private let database: Database
  private let tasks: CollectionReference

  init() throws {
    database = try Database.inMemory()
    tasks = try database.collection("tasks")
  }

  private struct Task: Codable, Equatable {
    @DocumentID var id: String?
    var title: String
  }

  @Test func itIsFilledAndNotStored() throws {
    let one = try tasks.document("one")
    try one.setData(from: Task(id: "other", title: "A"))
    #expect(try one.getDocument().data() == ["title": "A"])
    #expect(try one.getDocument(as: Task.self) == Task(id: "one", title: "A"))
    let added = try tasks.addDocument(from: Task(title: "B"))
    #expect(try added.getDocument(as: Task.self).id == added.id)
    let all = try tasks.order(by: "title").getDocuments().documents(as: Task.self)
    #expect(all == [Task(id: "one", title: "A"), Task(id: added.id, title: "B")])
  }

  @Test func references() throws {
    struct Linked: Codable {
      @DocumentID var document: DocumentReference?
    }
    let one = try tasks.document("one")
    try one.setData(from: Linked(document: nil))
    #expect(try one.getDocument().data() == [:])
    #expect(try one.getDocument(as: Linked.self).document == one)
  }

  @Test func nestedTypes() throws {
    struct Outer: Codable, Equatable {
      struct Inner: Codable, Equatable {
        @DocumentID var id: String?
        var n: Int
      }
      var inner: Inner
      var list: [Inner]
      var named: [String: Inner]
    }
    let one = try tasks.document("one")
    let inner = Outer.Inner(id: nil, n: 1)
    try one.setData(from: Outer(inner: inner, list: [inner], named: ["a": inner]))
    #expect(
      try one.getDocument().data() == [
        "inner": ["n": 1], "list": [["n": 1]], "named": ["a": ["n": 1]],
      ])
    let read = Outer.Inner(id: "one", n: 1)
    #expect(
      try one.getDocument(as: Outer.self) == Outer(inner: read, list: [read], named: ["a": read]))
  }

  @Test func aFieldOfItsNameIsPassedOver() throws {
    let one = try tasks.document("one")
    for value: Value in ["x", .null, 1, ["y"], ["id": "z"]] {
      try one.setData(MapValue([("id", value), ("title", "A")]))
      #expect(try one.getDocument(as: Task.self) == Task(id: "one", title: "A"))
      let found = try tasks.getDocuments().documents(as: Task.self)
      #expect(found == [Task(id: "one", title: "A")])
      // A merge keeps it, as every field that a value doesn't have.
      try one.setData(from: Task(id: "other", title: "B"), merge: true)
      #expect(try one.getDocument().value("id") == value)
    }
  }

  @Test func theNameThatAStrategyMakes() throws {
    struct Named: Codable {
      @DocumentID var documentName: String?
      var n: Int
    }
    var decoder = DocumentDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let one = try tasks.document("one")
    try one.setData(["n": 1])
    #expect(try one.getDocument(as: Named.self, decoder: decoder).documentName == "one")
    try one.setData(["n": 1, "document_name": "x"])
    #expect(try one.getDocument(as: Named.self, decoder: decoder).documentName == "one")
  }

  @Test func onlyDocumentsHaveIDs() throws {
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Task(title: "A")) }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Task.self, from: Data(#"{"id":"x","title":"A"}"#.utf8))
    }
    struct Only: Codable { var ids: [DocumentID<String>] }
    let one = try tasks.document("one")
    let only = Only(ids: [DocumentID(wrappedValue: nil)])
    #expect(code { try one.setData(from: only) } == .invalidArgument)
    #expect(code { try one.setData(from: DocumentID(wrappedValue: "x")) } == .invalidArgument)
  }
}
