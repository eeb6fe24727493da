import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthRules
import Testing

// The code of EnforcingRules.md, word for word: DocumentationTests compares the two.

@Suite(.timeLimit(.minutes(5))) struct RulesExamples {
  private static let text = """
    rules_version = '2';
    service cloud.firestore { match /databases/{db}/documents {
      match /tasks/{id} {
        allow create: if request.resource.data.owner == request.auth.uid;
        allow read, delete: if resource.data.owner == request.auth.uid;
      }
    } }
    """

  @Test func usersAreJudged() throws {
    let database = try Database.inMemory()
    let milk = try database.document("tasks/milk")
    let text = RulesExamples.text
    let rules = try database.rules(text)
    let alice = rules.asUser("alice", claims: ["admin": true])
    try alice.commit { $0.setData(["owner": "alice"], for: milk) }
    let task = try alice.getDocument(milk)
    #expect(task.exists)
    refuse(rules.asUser("bob"), milk)
    #expect(try alice.getDocument(milk).exists)
  }

  private func refuse(_ bob: DatabaseUser, _ milk: DocumentReference) {
    var lines: [Int] = []
    func print(_ line: Int, _ reason: String) { lines.append(line) }
    do {
      try bob.commit { $0.delete(milk) }
    } catch {
      for operation in error.rulesRefusal?.operations ?? [] {
        for item in operation.items { print(item.line, item.reason ?? "allowed") }
      }
    }
    #expect(lines == [5])
  }
}
