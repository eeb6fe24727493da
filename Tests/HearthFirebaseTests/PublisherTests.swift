import Foundation
import HearthFirebase
import OpenCombine
import Synchronization
import Testing

@Suite struct PublisherTests {
  private let firestore: Firestore
  private let tasks: CollectionReference
  private let subscriptions = Subscriptions()

  init() throws {
    firestore = try Firestore.inMemory()
    tasks = firestore.collection("tasks")
  }

  /// Returns the values of a publisher, and at its end the error. The suite holds the subscription.
  private func values<Output: Sendable>(
    _ publisher: some Publisher<Output, any Error>
  ) -> AsyncThrowingStream<Output, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Output.self)
    publisher.sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion {
          continuation.finish(throwing: error)
        } else {
          continuation.finish()
        }
      },
      receiveValue: { continuation.yield($0) }
    ).store(in: &subscriptions.all)
    return stream
  }

  @Test func `snapshots are published until the subscription is cancelled`() async throws {
    let stream = values(tasks.order(by: "n").snapshotPublisher().map(\.count))
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next() == 0)
    try await tasks.document("a").setData(["n": 1])
    #expect(try await iterator.next() == 1)
    subscriptions.all.removeAll()
    let documents = values(tasks.document("a").snapshotPublisher().map(\.exists).first())
    for try await exists in documents { #expect(exists) }
  }

  @Test func `an error completes the publisher`() async throws {
    let stream = values(
      tasks.whereField("x", isEqualTo: 1).order(by: "n").snapshotPublisher().map(\.count))
    await #expect(throws: NSError.self) { for try await _ in stream {} }
  }

  @Test func `a subscriber gets as many as it asks for`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: [Int].self)
    let subscriber = OneByOne { continuation.yield($0) }
    tasks.snapshotPublisher().map { [$0.count, $0.documentChanges.count] }.subscribe(subscriber)
    var iterator = stream.makeAsyncIterator()
    subscriber.askForOne()
    #expect(await iterator.next() == [0, 0])
    // The subscriber requests no value: two changes are one snapshot later on, and none before.
    for id in ["a", "b"] { try await tasks.document(id).setData([:]) }
    for try await snapshot in tasks.snapshots {
      #expect(snapshot.count == 2)
      break
    }
    await drainHandlers()
    #expect(subscriber.count == 1)
    subscriber.askForOne()
    #expect(await iterator.next() == [2, 2])
    for count in 3..<6 {
      subscriber.askForOne()
      try await tasks.document("\(count)").setData([:])
      #expect(await iterator.next() == [count, 1])
    }
    subscriber.cancel()
    #expect(subscriber.count == 5)
  }

  @Test func `what has failed lets go of its subscriber`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    weak var released: Mark?
    do {
      let mark = Mark()
      released = mark
      // No other object holds the subscription.
      tasks.whereField("a..b", isEqualTo: 1).snapshotPublisher().subscribe(
        AnySubscriber(
          receiveSubscription: { $0.request(.unlimited) },
          receiveCompletion: { _ in withExtendedLifetime(mark) { continuation.finish() } }))
    }
    for await _ in stream {}
    await drainHandlers()
    #expect(released == nil)
  }

  /// Waits until all calls that are due have been made.
  private func drainHandlers() async {
    await withCheckedContinuation { continuation in
      firestore.settings.dispatchQueue.async { continuation.resume() }
    }
  }

  @Test func `calls are futures`() async throws {
    let document = tasks.document("a")
    let written = document.setData(["n": 1]).flatMap { document.setData(["m": 1], merge: true) }
      .flatMap { document.updateData(["n": FieldValue.increment(1)]) }
      .flatMap { document.getDocument() }
      .map { $0.data() as? [String: Int] }
    for try await data in values(written) { #expect(data == ["n": 2, "m": 1]) }
    let added = tasks.addDocument(data: ["n": 9]).flatMap { $0.getDocument() }.map(\.exists)
    for try await exists in values(added) { #expect(exists) }
    let ran = firestore.runTransaction { transaction in
      try transaction.getDocument(document)["n"] as? Int ?? 0
    }
    for try await number in values(ran) { #expect(number == 2) }
    struct Refusal: Error {}
    let thrown = firestore.runTransaction { _ -> Int? in throw Refusal() }
    await #expect(throws: (any Error).self) { for try await _ in values(thrown) {} }
    let nothing = firestore.runTransaction { _ -> Int? in nil }
    for try await number in values(nothing) { #expect(number == nil) }
    let failed = tasks.document("none").updateData(["n": 1]).map { true }
    await #expect(throws: NSError.self) { for try await _ in values(failed) {} }
    let deleted = document.delete().flatMap { tasks.getDocuments() }.map(\.count)
    for try await count in values(deleted) { #expect(count == 1) }
  }
}

/// A subscriber that requests one value at a time.
private final class OneByOne: Subscriber, @unchecked Sendable {
  // It is set before any value is requested.
  private var subscription: (any Subscription)?
  private let take: ([Int]) -> Void
  private let received = Mutex(0)

  init(_ take: @escaping ([Int]) -> Void) { self.take = take }

  var count: Int { received.withLock { $0 } }

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: [Int]) -> Subscribers.Demand {
    received.withLock { $0 += 1 }
    take(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<any Error>) {}

  func askForOne() { subscription?.request(.max(1)) }
  func cancel() { subscription?.cancel() }
}

private final class Mark {}

/// The subscriptions of one test.
private final class Subscriptions {
  var all: [AnyCancellable] = []
}
