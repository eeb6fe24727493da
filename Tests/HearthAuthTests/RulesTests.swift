import Dispatch
import Foundation
import Hearth
import HearthAuth
import HearthFirebase
import HearthFirestoreJSON
import HearthRules
import Testing

/// Firestore's calls, judged by rules for the user who is signed in.
@Suite(.timeLimit(.minutes(5))) struct RulesTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /tasks/{task} {
          function owns(data) { return request.auth != null && data.userId == request.auth.uid; }
          allow read, delete: if owns(resource.data);
          allow create: if owns(request.resource.data);
          allow update: if owns(resource.data) && owns(request.resource.data);
        }
        match /secrets/{secret} { allow read: if request.auth.token.admin == true; }
      }
    }
    """

  /// Runs `body` with a database and a sign-in, whose users are judged.
  private static func with(
    _ body: (Firestore, Auth, TestAccounts) async throws -> Void
  ) async throws {
    try await TestAccounts.with { accounts in
      let auth = try accounts.auth()
      let database = try Database.inMemory()
      let firestore = Firestore(database)
      let settings = FirestoreSettings()
      settings.dispatchQueue = DispatchQueue(label: "handlers")
      firestore.settings = settings
      firestore.setRules(try database.rules(rules), auth: auth)
      try await body(firestore, auth, accounts)
      try await firestore.terminate()
    }
  }

  private static func isDenied(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return false
    } catch FirestoreErrorCode.permissionDenied {
      return true
    } catch {
      Issue.record(error)
      return false
    }
  }

  @Test func everyCallIsTheSignedInUsers() async throws {
    try await Self.with { firestore, auth, _ in
      let tasks = firestore.collection("tasks")
      let milk = tasks.document("milk")
      #expect(await Self.isDenied { try await milk.setData(["userId": "x"]) })
      let uid = try await auth.signInAnonymously().user.uid
      #expect(await Self.isDenied { try await milk.setData(["userId": "x"]) })
      try await milk.setData(["userId": uid])
      #expect(try await milk.getDocument().exists)
      let own = tasks.whereField("userId", isEqualTo: uid)
      #expect(try await own.getDocuments().count == 1)
      #expect(try await own.count.getAggregation(source: .server).count == 1)
      #expect(await Self.isDenied { try await tasks.getDocuments() })
      #expect(await Self.isDenied { try await tasks.count.getAggregation(source: .server) })
      let batch = firestore.batch()
      batch.setData(["userId": uid], forDocument: tasks.document("bread"))
      batch.setData(["userId": "x"], forDocument: tasks.document("salt"))
      #expect(await Self.isDenied { try await batch.commit() })
      #expect(try await own.getDocuments().count == 1)
      _ = try await firestore.runTransaction { transaction, errorPointer in
        do {
          let found = try transaction.getDocument(milk)
          transaction.updateData(["seen": found.exists], forDocument: milk)
        } catch {
          errorPointer?.pointee = error as NSError
        }
        return nil
      }
      #expect(try await milk.getDocument().get("seen") as? Bool == true)

      try auth.signOut()
      #expect(await Self.isDenied { try await milk.getDocument() })
      #expect(await Self.isDenied { try await milk.delete() })
      try await auth.signInAnonymously()
      #expect(await Self.isDenied { try await milk.getDocument() })
      #expect(
        await Self.isDenied {
          _ = try await firestore.runTransaction { transaction, errorPointer in
            do {
              return try transaction.getDocument(milk).exists
            } catch {
              errorPointer?.pointee = error as NSError
              return nil
            }
          }
        })
    }
  }

  @Test func aCallIsOfTheUserWhoMadeIt() async throws {
    try await Self.with { firestore, auth, _ in
      let uid = try await auth.signInAnonymously().user.uid
      let milk = firestore.collection("tasks").document("milk")
      let error = await withCheckedContinuation { continuation in
        milk.setData(["userId": uid]) { continuation.resume(returning: $0 as NSError?) }
        try? auth.signOut()
      }
      #expect(error == nil)
      #expect(auth.currentUser == nil)
    }
  }

  @Test func claimsAreThoseOfTheToken() async throws {
    try await Self.with { firestore, auth, accounts in
      let user = try await auth.signInAnonymously().user
      let secret = firestore.collection("secrets").document("a")
      #expect(await Self.isDenied { try await secret.getDocument() })
      try await accounts.administer(
        "update",
        [
          ("localId", .string(user.uid)), ("customAttributes", .string(#"{"admin":true}"#)),
        ])
      #expect(await Self.isDenied { try await secret.getDocument() })
      // A call with a token that has ended waits for a new one.
      accounts.clock.move(seconds: 4000)
      #expect(try await !secret.getDocument().exists)
      #expect(accounts.backend.count(of: "/token") == 1)
      accounts.clock.move(seconds: 4000)
      try await accounts.administer(
        "update", [("localId", .string(user.uid)), ("disableUser", .boolean(true))])
      do {
        try await secret.getDocument()
        Issue.record("a disabled user has a token")
      } catch FirestoreErrorCode.unauthenticated {
        #expect(auth.currentUser == nil)
      }
    }
  }

  @Test func listenersFollowTheUser() async throws {
    try await Self.with { firestore, auth, _ in
      let user = try await auth.signInAnonymously().user
      let tasks = firestore.collection("tasks")
      let (events, continuation) = AsyncStream.makeStream(of: String.self)
      tasks.whereField("userId", isEqualTo: user.uid).addSnapshotListener { snapshot, error in
        if let error {
          continuation.yield("error \((error as NSError).code)")
          continuation.finish()
        } else {
          let changes = snapshot?.documentChanges.map { "\($0.type) \($0.document.documentID)" }
          continuation.yield((changes ?? []).joined(separator: ", "))
        }
      }
      var iterator = events.makeAsyncIterator()
      #expect(await iterator.next() == "")
      try await tasks.document("milk").setData(["userId": user.uid])
      #expect(await iterator.next() == "added milk")
      // The same user with a new token sees the same, and is told nothing.
      try await user.link(with: Token.credential("a1"))
      try await tasks.document("milk").updateData(["done": true])
      #expect(await iterator.next() == "modified milk")
      try auth.signOut()
      #expect(await iterator.next() == "error 7")
      #expect(await iterator.next() == nil)
    }
  }

  @Test func aListenerAndAWriteInOneTurnGiveTwoSnapshots() async throws {
    try await Self.with { firestore, auth, _ in
      let uid = try await auth.signInAnonymously().user.uid
      let tasks = firestore.collection("tasks")
      let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
      withoutWaiting {
        _ = tasks.whereField("userId", isEqualTo: uid).addSnapshotListener { snapshot, _ in
          continuation.yield(snapshot?.count ?? -1)
        }
        tasks.document("milk").setData(["userId": uid])
      }
      var iterator = counts.makeAsyncIterator()
      #expect(await iterator.next() == 0)
      #expect(await iterator.next() == 1)
    }
  }

  @Test func manyListenersBeginAtOnce() async throws {
    try await Self.with { firestore, auth, _ in
      let uid = try await auth.signInAnonymously().user.uid
      let own = firestore.collection("tasks").whereField("userId", isEqualTo: uid)
      let (counts, continuation) = AsyncStream.makeStream(of: Int.self)
      withoutWaiting {
        for _ in 0..<300 {
          own.addSnapshotListener { snapshot, _ in continuation.yield(snapshot?.count ?? -1) }
        }
        firestore.collection("tasks").document("milk").setData(["userId": uid])
      }
      var told = [0: 0, 1: 0]
      for await count in counts {
        told[count, default: 0] += 1
        if told[1] == 300 { break }
      }
      #expect(told == [0: 300, 1: 300])
    }
  }

  @Test func sequencesAreJudged() async throws {
    try await Self.with { firestore, auth, _ in
      let uid = try await auth.signInAnonymously().user.uid
      let milk = firestore.collection("tasks").document("milk")
      try await milk.setData(["userId": uid])
      var own = milk.snapshots.makeAsyncIterator()
      #expect(try await own.next()?.exists == true)
      let all = firestore.collection("tasks").snapshots
      #expect(await Self.isDenied { for try await _ in all {} })
      try auth.signOut()
      #expect(await Self.isDenied { _ = try await own.next() })
    }
  }

  @Test func aRemovedListenerIsToldNothing() async throws {
    try await Self.with { firestore, auth, _ in
      let uid = try await auth.signInAnonymously().user.uid
      let milk = firestore.collection("tasks").document("milk")
      try await milk.setData(["userId": uid])
      let (counts, continuation) = AsyncStream.makeStream(of: Bool.self)
      let registration = milk.addSnapshotListener { snapshot, _ in
        continuation.yield(snapshot?.exists ?? false)
      }
      var iterator = counts.makeAsyncIterator()
      #expect(await iterator.next() == true)
      registration.remove()
      try await milk.delete()
      try await firestore.waitForPendingWrites()
      firestore.settings.dispatchQueue.sync {}
      continuation.finish()
      #expect(await iterator.next() == nil)
    }
  }
}
