import Foundation
import Hearth
import HearthAuth
import HearthFirebase
import HearthRules
import HearthServer
import HearthServerCalls
import OpenCombine
import TestSupport
import Testing

/// A reminder list that was written for Firebase: anonymous users, rules for owners alone, the link
/// with Apple, and the way out of a credential that is another account's.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TutorialTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /reminders/{reminder} {
          allow read, update, delete: if request.auth != null
            && resource.data.userId == request.auth.uid;
          allow create: if request.auth != null
            && request.resource.data.userId == request.auth.uid;
        }
      }
    }
    """

  @Test @MainActor func inTheProcess() async throws {
    let folder = try TemporaryFolder()
    let accounts = try Auth.configure(
      accountsAt: folder.path(of: "accounts"), sessionFile: folder.path(of: "session"))
    let database = try Database.inMemory()
    Firestore.use(database, as: "reminders")
    let firestore = Firestore.firestore(database: "reminders")
    firestore.setRules(try database.rules(Self.rules), auth: Auth.auth())
    try await runTheReminderList()
    try await database.close()
    try await accounts.close()
  }

  /// The sign-in goes over HTTP. The documents are those of the server, which are read and written
  /// in its process, judged by its rules.
  @Test @MainActor func overAServer() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path(of: "firestore.rules")
    try Self.rules.write(toFile: file, atomically: true, encoding: .utf8)
    var server = HearthServer(databases: .inMemory)
    server.databases.project = "reminders"
    server.rulesFile = file
    server.grace = .zero
    let running = try await server.start(port: 0)
    let address = try #require(URL(string: "http://127.0.0.1:\(running.port)"))
    try Auth.configure(server: address, sessionFile: folder.path(of: "session"))
    let database = try await running.registry.database(
      DatabaseID(project: "reminders"), for: .writing)
    Firestore.use(database, as: "reminders")
    let rules = try database.rules(String(contentsOfFile: file, encoding: .utf8))
    Firestore.firestore(database: "reminders").setRules(rules, auth: Auth.auth())
    try await runTheReminderList()
    await running.stop()
  }

  @MainActor private func runTheReminderList() async throws {
    try Auth.auth().signOut()
    let service = AuthenticationService()
    let repository = ReminderRepository(authenticationService: service)
    let model = SignInViewModel(repository: repository)
    let reminders = PublishedValues(of: repository.$reminders.dropFirst())
    let users = PublishedValues(of: service.$user.dropFirst())
    #expect(try await users.next() == nil)

    // An anonymous user has own reminders.
    service.signIn()
    let first = try #require(try await users.next())
    #expect(first.isAnonymous)
    #expect(try await reminders.next().isEmpty)
    try repository.addReminder(Reminder(title: "Milk"))
    let milk = try #require(try await reminders.next().first)
    #expect(milk.title == "Milk" && milk.userId == first.uid)
    var done = milk
    done.isCompleted = true
    try repository.updateReminder(done)
    #expect(try await reminders.next().map(\.isCompleted) == [true])

    // The link with Apple keeps the user and the reminders.
    var name = PersonNameComponents()
    name.givenName = "Ada"
    name.familyName = "Lovelace"
    let linked = await model.signInWithApple(
      idToken: Token.apple("apple-1", email: "ada@example.com"), nonce: "n", fullName: name)
    #expect(linked == .linked)
    #expect(Auth.auth().currentUser?.uid == first.uid)
    #expect(Auth.auth().currentUser?.displayName == "Ada Lovelace")
    #expect(Auth.auth().currentUser?.isAnonymous == false)
    await service.updateDisplayName(displayName: "Ada L.")
    #expect(service.user?.displayName == "Ada L.")

    // Another anonymous user sees none of them.
    service.signOut()
    #expect(try await users.next() == nil)
    service.signIn()
    let second = try #require(try await users.next())
    #expect(second.uid != first.uid)
    #expect(try await reminders.next().isEmpty)
    do {
      _ = try await repository.reminders(of: first.uid)
      Issue.record("another user's reminders were read")
    } catch FirestoreErrorCode.permissionDenied {}
    try repository.addReminder(Reminder(title: "Bread"))
    #expect(try await reminders.next().map(\.title) == ["Bread"])

    // The credential is in use: the reminders move to its account.
    let merged = await model.signInWithApple(
      idToken: Token.apple("apple-1", email: "ada@example.com"), nonce: "n", fullName: nil)
    #expect(merged == .merged, "\(model.errorMessage ?? "")")
    #expect(Auth.auth().currentUser?.uid == first.uid)
    var titles = Set(repository.reminders.map(\.title))
    while titles != ["Milk", "Bread"] { titles = Set(try await reminders.next().map(\.title)) }
    #expect(repository.reminders.allSatisfy { $0.userId == first.uid })

    // A wrong password is told in words.
    let refused = await model.signIn(email: "ada@example.com", password: "secret1")
    #expect(refused == .failed)
    #expect(model.errorMessage?.isEmpty == false)
    #expect(service.errorMessage == nil && repository.errorMessage == nil)
  }
}

/// The values of a publisher on the main queue, one after the other.
@MainActor private final class PublishedValues<Value: Sendable> {
  private let values: AsyncStream<Value>
  private let subscription: AnyCancellable

  init(of publisher: some Publisher<Value, Never>) {
    let (values, continuation) = AsyncStream.makeStream(of: Value.self)
    self.values = values
    subscription = publisher.sink { continuation.yield($0) }
  }

  func next() async throws -> Value {
    for await value in values { return value }
    throw CancellationError()
  }
}
