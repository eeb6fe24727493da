import Hearth
import Testing

@Suite struct TypedSnapshotTests {
  private let errands: TypedCollection<Errand>

  init() throws {
    errands = try Errand.stored(in: Database.inMemory())
  }

  @Test func resultsComeAtEveryChange() async throws {
    var snapshots = try errands.where(\.userID == "bob").snapshots.makeAsyncIterator()
    #expect(try await snapshots.next()?.map(\.title) == ["Cake", "Wash"])
    try await errands.update("milk", .set(\.userID, to: "bob"))
    #expect(try await snapshots.next()?.map(\.title) == ["Cake", "Milk", "Wash"])
    try await errands.delete("cake")
    #expect(try await snapshots.next()?.map(\.title) == ["Milk", "Wash"])
  }

  @Test func aResultThatDoesNotFitIsTold() async throws {
    try await errands.document("odd").setData(["title": 1, "uid": "bob"])
    var snapshots = try errands.where(\.userID == "bob").snapshots.makeAsyncIterator()
    let error = await failure { _ = try await snapshots.next() }
    #expect(error?.codingFailure?.document == "errands/odd")
  }

  @Test func aListenerGetsValues() async throws {
    let (results, continuation) = AsyncStream.makeStream(of: [String].self)
    let registration = try errands.where(\.priority > 2).addSnapshotListener { outcome in
      continuation.yield((try? outcome.get().map(\.title)) ?? ["?"])
    }
    var titles = results.makeAsyncIterator()
    #expect(await titles.next() == ["Cake", "Post"])
    try await errands.update("cake", .set(\.priority, to: 0))
    #expect(await titles.next() == ["Post"])
    try await errands.document("odd").setData(["title": 1, "priority": 9])
    #expect(await titles.next() == ["?"])
    registration.remove()
  }

  private func failure(_ body: () async throws -> Void) async -> DatabaseError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? DatabaseError
    }
  }
}
