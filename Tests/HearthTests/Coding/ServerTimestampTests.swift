import Foundation
import Hearth
import Testing

/// The property wrapper `@ServerTimestamp`, and other changes of fields that types hold.
@Suite struct ServerTimestampTests {
  private let database: Database
  private let document: DocumentReference

  init() throws {
    database = try Database.inMemory()
    document = try database.document("tasks/one")
  }

  private struct Task: Codable, Equatable {
    var title: String
    @ServerTimestamp var createdTime: Timestamp?
  }

  private struct Dated: Codable, Equatable {
    struct Stamp: Codable, Equatable { @ServerTimestamp var time: Date? }
    var stamp = Stamp()
    var stamps: [String: Stamp] = [:]
  }

  @Test func nilBecomesTheTimeOfTheCommit() throws {
    let result = try document.setData(from: Task(title: "A"))
    let stored = try #require(try document.getDocument().value("createdTime")?.timestampValue)
    #expect(result.transformResults == [.timestamp(stored)])
    #expect(stored.microseconds % 1000 == 0)
    #expect(result.updateTime.microseconds - stored.microseconds < 1000)
    #expect(try document.getDocument(as: Task.self).createdTime == stored)
    // A value that was read keeps its time.
    let read = try document.getDocument(as: Task.self)
    let again = try document.setData(from: read)
    #expect(again.transformResults.isEmpty)
    #expect(try document.getDocument(as: Task.self) == read)
  }

  @Test func allCallsThatWrite() throws {
    let task = Task(title: "A")
    let tasks = try database.collection("tasks")
    try check(tasks.addDocument(from: task))
    try tasks.document("a").create(from: task)
    #expect(code { try tasks.document("a").create(from: task) } == .alreadyExists)
    try tasks.document("c").setData(from: task, merge: true)
    var batch = database.batch()
    try batch.create(from: task, for: tasks.document("e"))
    try batch.setData(from: task, for: tasks.document("f"))
    try batch.setData(from: task, for: tasks.document("g"), mergeFields: ["createdTime"])
    try batch.commit()
    try database.runTransaction { transaction in
      try transaction.create(from: task, for: tasks.document("h"))
      try transaction.setData(from: task, for: tasks.document("i"), merge: true)
      try transaction.setData(from: task, for: tasks.document("j"), mergeFields: ["createdTime"])
    }
    for id in ["a", "c", "e", "f", "g", "h", "i", "j"] { try check(tasks.document(id)) }
    #expect(try tasks.document("g").getDocument().value("title") == nil)
    #expect(try tasks.document("j").getDocument().value("title") == nil)
  }

  @Test func theSameWithoutBlocking() async throws {
    let task = Task(title: "A")
    let tasks = try database.collection("tasks")
    try check(await tasks.addDocument(from: task))
    try await tasks.document("b").create(from: task)
    try await tasks.document("d").setData(from: task, merge: true)
    try await tasks.document("k").setData(from: task, mergeFields: ["createdTime"])
    for id in ["b", "d", "k"] { try check(tasks.document(id)) }
    #expect(try await tasks.document("k").getDocument().value("title") == nil)
  }

  private func check(_ document: DocumentReference) throws {
    #expect(try document.getDocument().value("createdTime")?.timestampValue != nil)
  }

  @Test func nestedTypes() throws {
    try document.setData(["stamp": ["kept": 1], "other": true])
    try document.setData(from: Dated(stamps: ["a.b": Dated.Stamp()]), merge: true)
    let fields = try #require(try document.getDocument().data())
    #expect(fields["other"] == true)
    #expect(fields["stamp"]?.mapValue?["kept"] == 1)
    #expect(fields["stamp"]?.mapValue?["time"]?.timestampValue != nil)
    #expect(fields["stamps"]?.mapValue?["a.b"]?.mapValue?["time"]?.timestampValue != nil)
    let read = try document.getDocument(as: Dated.self)
    #expect(read.stamp.time != nil)
    try document.setData(from: Dated())
    #expect(try document.getDocument().value("stamp.kept") == nil)
    #expect(try document.getDocument().value("stamp.time")?.timestampValue != nil)
  }

  @Test func missingAndNullDecodeAsNothing() throws {
    try document.setData(["title": "A"])
    #expect(try document.getDocument(as: Task.self) == Task(title: "A"))
    try document.setData(["title": "A", "createdTime": .null])
    #expect(try document.getDocument(as: Task.self) == Task(title: "A"))
    try document.setData(["title": "A", "createdTime": 1])
    #expect(
      failure { _ = try document.getDocument(as: Task.self) }?.message
        == "Document \"tasks/one\" doesn't decode as Task. Field \"createdTime\": Found an "
        + "integer, wanted Timestamp.")
  }

  @Test func aTimestampInAListIsRefused() throws {
    let error = failure { try document.setData(from: ["list": [Dated.Stamp()]]) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.codingFailure?.field == "list[0].time")
    #expect(code { _ = try DocumentEncoder().encode(Task(title: "A")) } == .invalidArgument)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Task(title: "A")) }
  }

  @Test func fieldValuesInTypes() throws {
    struct Counted: Encodable {
      var reads: FieldValue
      var tags: FieldValue
      var nested: [String: FieldValue]
    }
    try document.setData(["reads": 2, "tags": ["a"], "nested": ["x": 1, "y": 2], "z": 3])
    let change = Counted(
      reads: .increment(3), tags: .arrayUnion(["b"]), nested: ["x": .delete, "w": "text"])
    try document.setData(from: change, merge: true)
    #expect(
      try document.getDocument().data() == [
        "reads": 5, "tags": ["a", "b"], "nested": ["y": 2, "w": "text"], "z": 3,
      ])
    #expect(code { try document.setData(from: change) } == .invalidArgument)
    let data = try DocumentEncoder().fieldData(from: change)
    #expect(data["reads"] == .increment(3))
    #expect(data["nested"] == .map(["w": "text", "x": .delete]))
  }

  @Test func fieldsThatAreMerged() throws {
    struct City: Codable {
      struct Mayor: Codable { var name: String, age: Int }
      var name: String
      var population: Int?
      var mayor: Mayor
    }
    try document.setData(["name": "Edo", "population": 1, "mayor": ["name": "A", "age": 1]])
    let city = City(name: "Tokyo", population: 2, mayor: City.Mayor(name: "B", age: 2))
    try document.setData(from: city, mergeFields: ["name", "mayor.age"])
    #expect(
      try document.getDocument().data() == [
        "name": "Tokyo", "population": 1, "mayor": ["name": "A", "age": 2],
      ])
    try document.setData(from: city, mergeFields: ["mayor"])
    #expect(try document.getDocument().value("mayor") == ["name": "B", "age": 2])
    let missing = City(name: "X", population: nil, mayor: city.mayor)
    #expect(
      failure { try document.setData(from: missing, mergeFields: ["population"]) }?.message
        == "Field 'population' is specified in your field mask but missing from your input data.")
  }
}
