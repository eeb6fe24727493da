import Foundation
import HearthFirebase
import Testing

@Suite struct DocumentTests {
  private let firestore: Firestore
  private let tokyo: DocumentReference

  init() throws {
    firestore = try Firestore.inMemory()
    tokyo = firestore.collection("cities").document("tokyo")
  }

  private func refusal(_ call: () async throws -> Void) async -> String {
    do {
      try await call()
      return "none"
    } catch {
      return error.localizedDescription
    }
  }

  // MARK: Places

  @Test func `references know their places`() {
    let wards = tokyo.collection("wards")
    #expect(wards.path == "cities/tokyo/wards")
    #expect(wards.collectionID == "wards")
    #expect(wards.parent == tokyo)
    #expect(tokyo.parent.path == "cities")
    #expect(tokyo.parent.parent == nil)
    #expect(tokyo.documentID == "tokyo")
    #expect(tokyo == firestore.document("/cities/tokyo/"))
    #expect(firestore.collection("cities").document().documentID.count == 20)
    #expect(wards.document("minato/parks/shiba").path == "cities/tokyo/wards/minato/parks/shiba")
  }

  @Test func `a bad path is the error of the first call`() async {
    let document = firestore.document("cities")
    #expect(document.path == "cities")
    #expect(
      await refusal { _ = try await document.getDocument() }
        == "\"cities\" is no document: a document's path has an even number of segments.")
    let below = firestore.collection("cities/tokyo").document("x").collection("y").document()
    #expect(await refusal { try await below.setData([:]) }.contains("odd number of segments"))
    let empty = firestore.collection("")
    #expect(await refusal { _ = try await empty.getDocuments() } != "none")
  }

  // MARK: Writing

  @Test func `set replaces and merges`() async throws {
    try await tokyo.setData(["name": "Tokyo", "size": ["km2": 2194, "wards": 23]])
    try await tokyo.setData(["size": ["wards": 24]], merge: true)
    var snapshot = try await tokyo.getDocument()
    #expect(snapshot.get("size.km2") as? Int == 2194)
    #expect(snapshot.get("size.wards") as? Int == 24)
    #expect(snapshot["name"] as? String == "Tokyo")
    try await tokyo.setData(["size": FieldValue.delete()], merge: true)
    snapshot = try await tokyo.getDocument()
    #expect(snapshot.data()?.keys.sorted() == ["name"])
    try await tokyo.setData(["a": 1])
    #expect(try await tokyo.getDocument().data() as? [String: Int] == ["a": 1])
  }

  @Test func `a merge of some fields leaves the others alone`() async throws {
    try await tokyo.setData(["a": ["b": 1, "c": 1], "d.e": 1, "f": 1])
    try await tokyo.setData(
      ["a": ["b": 2, "c": 2], "d.e": 2, "f": FieldValue.increment(5), "g": 2],
      mergeFields: ["a.b", FieldPath(["d.e"]), "f"])
    let data = try await tokyo.getDocument().data() ?? [:]
    #expect(data["a"] as? [String: Int] == ["b": 2, "c": 1])
    #expect(data["d.e"] as? Int == 2)
    #expect(data["f"] as? Int == 6)
    #expect(data["g"] == nil)
    #expect(
      await refusal { try await tokyo.setData(["a": 1], mergeFields: ["b"]) }
        == "Field 'b' is specified in your field mask but missing from your input data.")
    #expect(
      await refusal { try await tokyo.setData(["a": 1], mergeFields: [1]) }
        == "All elements in mergeFields: must be Strings or FieldPaths.")
  }

  @Test func `updates change fields by path`() async throws {
    try await tokyo.setData(["size": ["km2": 1, "wards": 23], "a.b": 1, "tags": ["x"]])
    try await tokyo.updateData([
      "size.km2": 2194, FieldPath(["a.b"]): 2, "tags": FieldValue.arrayUnion(["y", "x"]),
      "my-field": true,
    ])
    try await tokyo.updateData(["size.wards": FieldValue.delete()])
    let snapshot = try await tokyo.getDocument()
    #expect(snapshot.get("size") as? [String: Int] == ["km2": 2194])
    #expect(snapshot.get(FieldPath(["a.b"])) as? Int == 2)
    #expect(snapshot.get("tags") as? [String] == ["x", "y"])
    #expect(snapshot["my-field"] as? Bool == true)
    try await tokyo.updateData(["tags": FieldValue.arrayRemove(["x"])])
    #expect(try await tokyo.getDocument().get("tags") as? [String] == ["y"])
  }

  @Test func `an update needs a document`() async {
    do {
      try await tokyo.updateData(["a": 1])
      Issue.record("There is none.")
    } catch FirestoreErrorCode.notFound {
      // This error is expected.
    } catch {
      Issue.record(error)
    }
  }

  @Test func `sentinels in wrong places are refused`() async {
    #expect(
      await refusal { try await tokyo.setData(["a": ["b": FieldValue.delete()]]) }
        == "FieldValue.delete() can only be used with updateData() and setData() with merge:true "
        + "(found in field a.b)")
    #expect(
      await refusal { try await tokyo.updateData(["a": ["b": FieldValue.delete()]]) }
        == "FieldValue.delete() can only appear at the top level of your update data "
        + "(found in field a.b)")
    #expect(
      await refusal { try await tokyo.updateData([1: 1]) }
        == "Dictionary keys in updateData: must be Strings or FieldPaths.")
    #expect(
      await refusal { try await tokyo.updateData(["a..b": 1]) }
        == "Invalid field path (a..b). Paths must not be empty, begin with '.', end with '.', or "
        + "contain '..'")
    #expect(
      await refusal { try await tokyo.updateData(["a[0]": 1]) }
        == "Invalid field path (a[0]). Paths must not contain '~', '*', '/', '[', or ']'")
  }

  @Test func `server timestamps are the time of the commit`() async throws {
    let before = Timestamp()
    try await tokyo.setData(["at": FieldValue.serverTimestamp()])
    let at = try #require(try await tokyo.getDocument().get("at") as? Timestamp)
    // The time is in whole milliseconds.
    #expect(at.seconds >= before.seconds)
    #expect(at.nanoseconds % 1_000_000 == 0)
  }

  @Test func `increments add`() async throws {
    try await tokyo.setData(["integer": FieldValue.increment(2), "number": 1])
    try await tokyo.updateData([
      "integer": FieldValue.increment(Int64(3)), "number": FieldValue.increment(0.5),
    ])
    let snapshot = try await tokyo.getDocument()
    #expect(snapshot["integer"] as? Int == 5)
    #expect(snapshot["number"] as? Double == 1.5)
  }

  // MARK: Handlers and order

  @Test func `calls with handlers complete in order`() async throws {
    withoutWaiting {
      tokyo.setData(["n": 0])
      for _ in 0..<20 { tokyo.updateData(["n": FieldValue.increment(1)]) }
    }
    // The read sees the earlier writes, for which no call waited.
    #expect(try await tokyo.getDocument()["n"] as? Int == 20)
    let error = await completion { tokyo.setData(["n": 1], merge: true, completion: $0) }
    #expect(error == nil)
    let refused = await completion { tokyo.updateData(["n.": 1], completion: $0) }
    #expect((refused as? NSError)?.code == FirestoreErrorCode.invalidArgument.rawValue)
    let deleted = await completion { tokyo.delete(completion: $0) }
    #expect(deleted == nil)
    let (stream, continuation) = AsyncStream.makeStream(of: Bool?.self)
    tokyo.getDocument { snapshot, error in continuation.yield(snapshot?.exists) }
    for await exists in stream {
      #expect(exists == false)
      break
    }
  }

  @Test func `an error without a handler is reported`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let settings = firestore.settings
    settings.unhandledErrorHandler = { continuation.yield($0.localizedDescription) }
    firestore.settings = settings
    withoutWaiting { tokyo.updateData(["a": 1]) }
    for await message in stream {
      #expect(message.contains("cities/tokyo"))
      break
    }
  }

  @Test func `waiting for writes sees them`() async throws {
    let document = withoutWaiting {
      firestore.collection("cities").addDocument(data: ["n": 1])
    }
    try await firestore.waitForPendingWrites()
    #expect(try await document.getDocument().exists)
    let another = try await firestore.collection("cities").addDocument(data: ["n": 2])
    #expect(another.documentID.count == 20)
    try await firestore.terminate()
    #expect(await refusal { _ = try await document.getDocument() } != "none")
  }

  @Test func `snapshots of nothing have no data`() async throws {
    let snapshot = try await tokyo.getDocument(source: .cache)
    #expect(!snapshot.exists)
    #expect(snapshot.data() == nil)
    #expect(snapshot["name"] == nil)
    #expect(snapshot.documentID == "tokyo")
    #expect(!snapshot.metadata.hasPendingWrites && !snapshot.metadata.isFromCache)
  }
}
