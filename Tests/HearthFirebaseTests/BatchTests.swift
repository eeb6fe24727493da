import Foundation
import HearthFirebase
import Testing

@Suite struct BatchTests {
  private let firestore: Firestore
  private let cities: CollectionReference

  init() throws {
    firestore = try Firestore.inMemory()
    cities = firestore.collection("cities")
  }

  @Test func `a batch is one commit`() async throws {
    try await cities.document("edo").setData(["old": true])
    let error = await completion { done in
      firestore.batch()
        .setData(["n": 1], forDocument: cities.document("tokyo"))
        .setData(["m": 1], forDocument: cities.document("tokyo"), merge: true)
        .setData(["a": 1, "b": 1], forDocument: cities.document("kyoto"), mergeFields: ["b"])
        .updateData(["n": FieldValue.increment(1)], forDocument: cities.document("tokyo"))
        .deleteDocument(cities.document("edo"))
        .commit(completion: done)
    }
    #expect(error == nil)
    let data = try await cities.document("tokyo").getDocument().data() as? [String: Int]
    #expect(data == ["n": 2, "m": 1])
    #expect(
      try await cities.document("kyoto").getDocument().data() as? [String: Int] == ["b": 1])
    #expect(try await cities.document("edo").getDocument().exists == false)
  }

  @Test func `one bad write is the error of the commit, and nothing is written`() async throws {
    let batch = firestore.batch()
    batch.setData(["n": 1], forDocument: cities.document("tokyo"))
    batch.setData(["n": Set([1])], forDocument: cities.document("kyoto"))
    await #expect(throws: NSError.self) { try await batch.commit() }
    let stranger = try Firestore.inMemory().document("cities/tokyo")
    let other = firestore.batch().setData([:], forDocument: stranger)
    await #expect(throws: NSError.self) { try await other.commit() }
    #expect(try await cities.getDocuments().isEmpty)
  }

  @Test func `a batch is committed once`() async throws {
    let batch = firestore.batch()
    try await batch.commit()
    let error = await completion { batch.commit(completion: $0) }
    #expect(
      error?.localizedDescription
        == "A write batch can no longer be used after commit has been called.")
  }
}
