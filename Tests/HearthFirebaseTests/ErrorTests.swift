import Foundation
import Hearth
import HearthFirebase
import Testing

@Suite struct ErrorTests {
  @Test func `a missing index names its link and its command`() async throws {
    let firestore = try Firestore.inMemory()
    let query = firestore.collection("tasks").whereField("userId", isEqualTo: "me")
      .order(by: "created time")
    do {
      _ = try await query.getDocuments()
      Issue.record("It was served.")
    } catch {
      #expect(FirestoreErrorCode.failedPrecondition ~= error)
      let lines = error.localizedDescription.split(separator: "\n")
      #expect(
        lines[0].hasPrefix(
          "The query requires an index. You can create it here: "
            + "https://console.firebase.google.com/"))
      #expect(
        lines[1]
          == "Or create it here: hearth index create tasks userId:asc '`created time`:asc'")
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? DatabaseError
      #expect(underlying?.missingIndex?.index.collectionGroup == "tasks")
    }
  }

  @Test func `codes match the errors that have them`() {
    let error = NSError(domain: FirestoreErrorDomain, code: 5)
    #expect(FirestoreErrorCode.notFound ~= error)
    #expect(!(FirestoreErrorCode.aborted ~= error))
    #expect(!(FirestoreErrorCode.notFound ~= NSError(domain: "other", code: 5)))
    #expect(FirestoreErrorCode.Code(rawValue: 9) == .failedPrecondition)
    #expect((FirestoreErrorCode(.notFound) as NSError).domain == FirestoreErrorDomain)
  }

  @Test func `a database that was never named is an error and no trap`() async {
    let tasks = Firestore.firestore(database: "never named").collection("tasks")
    do {
      try await tasks.document("a").setData([:])
      Issue.record("There is no database.")
    } catch {
      #expect(
        error.localizedDescription
          == "No database is open. Call Firestore.configure(at:) or Firestore.use(_:) before the "
          + "first use of Firestore.")
    }
    #expect(tasks.document().path == "tasks")
    #expect(tasks.parent == nil)
  }
}
