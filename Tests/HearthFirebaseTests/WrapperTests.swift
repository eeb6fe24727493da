import Foundation
import HearthFirebase
import Testing

/// Property wrappers over types of the module, and of a program.
@Suite struct WrapperTests {
  private struct Day: Codable, Equatable, ServerTimestampWrappable {
    var number: Int64

    static func wrap(_ timestamp: Timestamp) throws -> Day {
      Day(number: timestamp.seconds / 86400)
    }

    static func unwrap(_ value: Day) throws -> Timestamp {
      guard value.number >= 0 else { throw CocoaError(.coderInvalidValue) }
      return Timestamp(seconds: value.number * 86400, nanoseconds: 0)
    }
  }

  private struct Path: Codable, Equatable, DocumentIDWrappable {
    var text: String

    static func wrap(_ documentReference: DocumentReference) throws -> Path {
      Path(text: documentReference.path)
    }
  }

  private struct Entry: Codable, Equatable {
    @DocumentID var path: Path?
    @ServerTimestamp var day: Day?
  }

  private let firestore: Firestore
  private let document: DocumentReference

  init() throws {
    firestore = try Firestore.inMemory()
    document = firestore.document("entries/one")
  }

  @Test func `wrappers hold a program's own types`() async throws {
    try document.setData(from: Entry())
    let read = try await document.getDocument(as: Entry.self)
    #expect(read.path == Path(text: "entries/one"))
    #expect(try #require(read.day).number > 19_000)
    try document.setData(from: Entry(day: Day(number: 2)))
    let snapshot = try await document.getDocument()
    #expect(snapshot["day"] as? Timestamp == Timestamp(seconds: 172_800, nanoseconds: 0))
    #expect(snapshot["path"] == nil)
    #expect(throws: CocoaError.self) { try document.setData(from: Entry(day: Day(number: -1))) }
    try await document.setData([:])
    #expect(try await document.getDocument(as: Entry.self).day == nil)
  }

  @Test func `a stored field of an id's name empties no list`() async throws {
    struct User: Codable {
      @DocumentID var id: String?
      @DocumentID var reference: DocumentReference?
      var name: String
    }
    let users = firestore.collection("users")
    for id: Any in ["u1", 1, NSNull(), ["x"]] {
      try await users.document("u1").setData(["id": id, "reference": id, "name": "A"])
      let all = try await users.getDocuments().documents.compactMap {
        try? $0.data(as: User.self)
      }
      #expect(all.map(\.id) == ["u1"])
      #expect(all.map(\.reference) == [users.document("u1")])
    }
    let decoded = try Firestore.Decoder().decode(
      User.self, from: ["id": "other", "name": "A"], in: users.document("u2"))
    #expect(decoded.id == "u2")
  }

  @Test func `other coders have errors of their own`() throws {
    struct Identified: Codable { @DocumentID var id: String? }
    struct Timed: Codable { @ServerTimestamp var time: Timestamp? }
    struct Linked: Codable { var document: DocumentReference }
    #expect(
      throws: FirestoreEncodingError.encodingIsNotSupported(
        "Only a document holds a DocumentID: it is encoded by Firestore.Encoder.")
    ) {
      try JSONEncoder().encode(Identified())
    }
    #expect(throws: FirestoreEncodingError.self) { try JSONEncoder().encode(Timed()) }
    #expect(throws: FirestoreEncodingError.self) {
      try JSONEncoder().encode(Linked(document: document))
    }
    #expect(throws: FirestoreEncodingError.self) {
      try JSONEncoder().encode(["x": FieldValue.delete()])
    }
    #expect(
      throws: FirestoreDecodingError.decodingIsNotSupported(
        "Only a document holds a DocumentID: it is decoded by Firestore.Decoder.")
    ) {
      try JSONDecoder().decode(Identified.self, from: Data(#"{"id": "x"}"#.utf8))
    }
    #expect(throws: FirestoreDecodingError.self) {
      try JSONDecoder().decode(Linked.self, from: Data(#"{"document": "x"}"#.utf8))
    }
    let json = try JSONEncoder().encode(Timed(time: Timestamp(seconds: 1, nanoseconds: 2)))
    #expect(
      try JSONDecoder().decode(Timed.self, from: json).time
        == Timestamp(seconds: 1, nanoseconds: 2))
  }

  @Test func `timestamps keep their nanoseconds through coders`() async throws {
    struct Model: Codable, Equatable {
      var time: Timestamp
      var times: [Timestamp]
      var nested: [String: Timestamp]
      @ServerTimestamp var set: Timestamp?
    }
    let time = Timestamp(seconds: 37, nanoseconds: 123_456_789)
    let whole = Timestamp(seconds: 37, nanoseconds: 123_456_000)
    let model = Model(time: time, times: [whole, time], nested: ["a": time], set: time)
    let json = try JSONEncoder().encode(model)
    #expect(String(decoding: json, as: UTF8.self).contains("\"nanoseconds\":123456789"))
    #expect(try JSONDecoder().decode(Model.self, from: json) == model)
    let dictionary = try Firestore.Encoder().encode(model)
    #expect(dictionary["time"] as? Timestamp == time)
    #expect(dictionary["times"] as? [Timestamp] == [whole, time])
    #expect(dictionary["nested"] as? [String: Timestamp] == ["a": time])
    #expect(try Firestore.Decoder().decode(Model.self, from: dictionary, in: document) == model)
    // A document stores microseconds (§2.1).
    try document.setData(from: model)
    #expect(try await document.getDocument(as: Model.self).times == [whole, whole])
  }

  @Test func `of two values for one key the last is encoded`() throws {
    struct Twice: Encodable {
      enum Key: String, CodingKey { case time }
      var last: any Encodable

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Timestamp(seconds: 37, nanoseconds: 123_456_789), forKey: .time)
        try container.encode(last, forKey: .time)
      }
    }
    func encoded(_ last: any Encodable) throws -> Any? {
      try Firestore.Encoder().encode(Twice(last: last))["time"]
    }
    let whole = Timestamp(seconds: 37, nanoseconds: 123_456_000)
    #expect(try encoded(whole) as? Timestamp == whole)
    #expect(try encoded("text") as? String == "text")
    let date = Date(timeIntervalSince1970: 5)
    #expect(try encoded(date) as? Timestamp == Timestamp(seconds: 5, nanoseconds: 0))
  }

  @Test func `a wrapped date comes back whole`() async throws {
    struct Model: Codable, Equatable { @ServerTimestamp var time: Date? }
    // Within a nanosecond or so: a date counts in steps of 119 here.
    let model = Model(time: Date(timeIntervalSinceReferenceDate: 592_176_831.123_456_7))
    let dictionary = try Firestore.Encoder().encode(model)
    #expect(try Firestore.Decoder().decode(Model.self, from: dictionary, in: document) == model)
    // A document has the nearest microsecond, by each way to write it.
    let stored = Date(timeIntervalSinceReferenceDate: 592_176_831.123_457)
    try document.setData(from: model)
    #expect(try await document.getDocument(as: Model.self).time == stored)
    try await document.setData(dictionary)
    #expect(try await document.getDocument(as: Model.self).time == stored)
  }

  @Test func `a dictionary needs no database`() throws {
    // No test names the default wrapper.
    let entry = try Firestore.Decoder().decode(
      [String: Timestamp].self, from: ["a": Timestamp(seconds: 1, nanoseconds: 1)])
    #expect(entry == ["a": Timestamp(seconds: 1, nanoseconds: 1)])
  }

  @Test func `field values are encoded, and equal when they do the same`() async throws {
    struct Change: Encodable {
      var name: String
      var tags: FieldValue
      var count: FieldValue
      var inner: [String: FieldValue]
    }
    let change = Change(
      name: "A", tags: .arrayUnion(["x"]), count: .increment(Int64(3)),
      inner: ["time": .serverTimestamp()])
    for _ in 0..<2 { try document.setData(from: change, merge: true) }
    let snapshot = try await document.getDocument()
    #expect(snapshot["tags"] as? [String] == ["x"])
    #expect(snapshot["count"] as? Int == 6)
    #expect(snapshot["inner.time"] is Timestamp)
    struct Removal: Encodable { var count = FieldValue.delete() }
    try document.setData(from: Removal(), merge: true)
    #expect(try await document.getDocument()["count"] == nil)
    let encoded = try Firestore.Encoder().encode(change)
    #expect(encoded["count"] as? FieldValue == .increment(Int64(3)))
    let different: [FieldValue] = [
      .delete(), .serverTimestamp(), .increment(Int64(1)), .increment(Int64(2)), .increment(1.0),
      .arrayUnion([1]), .arrayRemove([1]), .arrayUnion([2]), .arrayUnion([[[1]]]),
    ]
    #expect(Set(different).count == different.count)
    #expect(Set(different + [.delete(), .arrayUnion([1])]).count == different.count)
    struct Bad: Encodable { var tags = FieldValue.arrayUnion([[[1]]]) }
    #expect(throws: EncodingError.self) { try document.setData(from: Bad()) }
    struct InArray: Encodable { var all = [FieldValue.delete()] }
    #expect(throws: EncodingError.self) { try document.setData(from: InArray()) }
    #expect(throws: EncodingError.self) { try Firestore.Encoder().encode(FieldValue.delete()) }
  }

  @Test func `a document as a type, from a source`() async throws {
    try await document.setData([:])
    let read = try await document.getDocument(as: Entry.self, source: .cache)
    #expect(read.path?.text == "entries/one")
    let (stream, continuation) = AsyncStream.makeStream(of: String?.self)
    document.getDocument(as: Entry.self, source: .server) { result in
      continuation.yield(try? result.get().path?.text)
    }
    for await path in stream {
      #expect(path == "entries/one")
      break
    }
  }
}
