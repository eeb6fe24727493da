import Foundation
import Hearth
import OpenCombine
import Testing

import class HearthFirebase.Firestore
import struct HearthFirebase.GeoPoint

/// Data layers that were written for Firebase, over a database of Hearth's.
@Suite(.serialized) struct DataLayerTests {
  /// The database of `Firestore.firestore()`.
  private let database: Database

  init() throws {
    database = try Database.inMemory(databaseID: DatabaseID(project: "todo"))
    Firestore.use(database)
  }

  // MARK: Tasks

  @Test @MainActor func `the to-do list is refused, told its index, and then listens`() async throws
  {
    let authentication = AuthenticationService()
    let repository = TaskRepository(authenticationService: authentication)
    let tasks = Values(of: repository.$tasks.dropFirst().eraseToAnyPublisher())
    let errors = Values(of: repository.$errorMessage.compactMap { $0 }.eraseToAnyPublisher())

    authentication.signIn(as: "ada")
    let refusal = await errors.next()
    let hint = try #require(IndexHint(in: refusal))
    #expect(
      refusal.hasPrefix(
        "The query requires an index. You can create it here: https://console.firebase.google.com/")
    )
    #expect(
      hint.link.hasPrefix(
        "https://console.firebase.google.com/v1/r/project/todo/firestore/indexes?create_composite=")
    )
    #expect(hint.command == "hearth index create tasks userId:asc createdTime:asc")
    try await database.indexes.createOrAdd(hint.definition())

    repository.loadData()
    #expect(await tasks.next().isEmpty)

    repository.addTask(Task(title: "Milk", priority: .high, completed: false))
    let milk = try #require(await tasks.next().first)
    #expect(milk.title == "Milk")
    #expect(milk.userId == "ada")
    #expect(milk.id?.utf8.count == 20)
    #expect(milk.createdTime != nil)

    // The server's times are in milliseconds, so it might be the same one.
    repository.addTask(
      Task(
        title: "Bread", priority: .low, completed: false,
        createdTime: .init(date: .distantFuture)))
    #expect(await tasks.next().map(\.title) == ["Milk", "Bread"])

    var done = milk
    done.completed = true
    repository.updateTask(done)
    let updated = await tasks.next()
    #expect(updated.map(\.completed) == [true, false])
    #expect(updated[0].createdTime == milk.createdTime)

    // Another user has other tasks, and the first user's tasks are not lost.
    authentication.signIn(as: "bob")
    #expect(await tasks.next().isEmpty)
    repository.addTask(Task(title: "Paint", priority: .medium, completed: false))
    #expect(await tasks.next().map(\.title) == ["Paint"])
    authentication.signIn(as: "ada")
    #expect(await tasks.next().map(\.title) == ["Milk", "Bread"])

    repository.removeTask(done)
    #expect(await tasks.next().map(\.title) == ["Bread"])
  }

  // MARK: Users and posts

  @Test @MainActor func `users and posts are dictionaries`() async throws {
    let store = SocialStore()
    let joined = Date(timeIntervalSince1970: 1_600_000_000.5)
    let ada = UserProfile(
      uid: "ada", name: "Ada", age: 36, isAdmin: true, joined: joined, interests: ["engines"])
    let bob = UserProfile(
      uid: "bob", name: "Bob", age: 17, isAdmin: false, joined: joined, interests: [])
    for user in [ada, bob] {
      let error = await completion { store.save(user, completion: $0) }
      #expect(error == nil)
    }
    let (users, usersError) = await loaded { store.loadUsers(over: 18, completion: $0) }
    #expect(usersError == nil)
    #expect(users.map(\.name) == ["Ada"])
    #expect(users.first?.isAdmin == true)
    #expect(users.first?.joined == joined)
    #expect(users.first?.interests == ["engines"])
    #expect(UserProfile(uid: "none", dictionary: ["name": "None"]) == nil)

    let place = HearthFirebase.GeoPoint(latitude: 51.5, longitude: -0.1)
    let drafts: [(String, Double?, HearthFirebase.GeoPoint?)] = [
      ("One", 4, place), ("Two", nil, nil),
    ]
    for (number, (text, rating, place)) in drafts.enumerated() {
      let error = await completion {
        store.post(
          text, number: number, by: ada, rating: rating, place: place, completion: $0)
      }
      #expect(error == nil)
    }
    let (posts, postsError) = await loaded { store.loadPosts(of: "ada", completion: $0) }
    #expect(postsError == nil)
    #expect(posts.map(\.text) == ["One", "Two"])
    #expect(posts.map(\.rating) == [4, nil])
    #expect(posts[0].place == place)
    #expect(posts[1].place == nil)
    #expect(posts[0].author.path == "users/ada")
    #expect(posts[0].meta["length"] as? Int == 3)
    #expect(posts[0].meta["tags"] as? [String] == ["new"])

    let error = await completion { store.like(posts[1], of: "ada", completion: $0) }
    #expect(error == nil)
    let (liked, _) = await loaded { store.loadPosts(of: "ada", completion: $0) }
    #expect(liked.map(\.likes) == [0, 1])
    #expect(liked[1].meta["liked"] as? Bool == true)
  }

  /// Waits for the result of a call.
  @MainActor private func loaded<Output>(
    _ call: (@escaping ([Output], (any Error)?) -> Void) -> Void
  ) async -> ([Output], (any Error)?) {
    var loaded: ([Output], (any Error)?) = ([], nil)
    _ = await completion { done in
      call { output, error in
        loaded = (output, error)
        done(error)
      }
    }
    return loaded
  }
}

/// The values of a publisher on the main queue, one after the other.
@MainActor private final class Values<Value> {
  private var values: [Value] = []
  private var waiter: CheckedContinuation<Void, Never>?
  private var subscription: AnyCancellable?

  init(of publisher: AnyPublisher<Value, Never>) {
    subscription = publisher.sink { [weak self] value in
      MainActor.assumeIsolated { self?.append(value) }
    }
  }

  private func append(_ value: Value) {
    values.append(value)
    waiter?.resume()
    waiter = nil
  }

  func next() async -> Value {
    if values.isEmpty { await withCheckedContinuation { waiter = $0 } }
    return values.removeFirst()
  }
}

/// The command for the index in the error of a missing one.
private struct IndexHint {
  let link: String
  let command: String

  init?(in message: String) {
    guard let link = message.firstMatch(of: /https:\S+create_composite=\S+/)?.output,
      let command = message.firstMatch(of: /hearth index create .+/)?.output
    else { return nil }
    self.link = String(link)
    self.command = String(command)
  }

  /// Returns the index that the command creates: `hearth index create GROUP FIELD:MODE…`.
  func definition() throws -> IndexDefinition {
    let words = command.split(separator: " ").dropFirst(3).map { String($0) }
    let columns = try words.dropFirst().map { word in
      let parts = word.split(separator: ":")
      return IndexColumn(
        try Hearth.FieldPath(String(parts[0])), parts[1] == "asc" ? .ascending : .descending)
    }
    return IndexDefinition(words[0], columns)
  }
}
