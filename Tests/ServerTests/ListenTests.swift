import Foundation
import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Testing

/// Streams of `Listen`, beside the recorded ones.
@Suite(.timeLimit(.minutes(10))) struct ListenTests {
  private typealias Response = DirectListener.Response

  private static func set(_ path: String, _ number: Int64, in database: Database) throws {
    try set([path], number, in: database)
  }

  /// Writes documents in one commit.
  private static func set(_ paths: [String], _ number: Int64, in database: Database) throws {
    _ = try database.commit(
      paths.map { .set(try ResourcePath($0), MapValue([("n", .integer(number))])) })
  }

  /// A message in the short form of the recordings, with the number in a document.
  private static func form(_ response: Response) -> String {
    switch response.responseType {
    case .documentChange(let change)?:
      let id = change.document.name.split(separator: "/").last ?? ""
      let number = change.document.fields.first?.value.integerValue ?? 0
      return "change \(id) \(number) \(change.targetIds) \(change.removedTargetIds)"
    case .documentDelete(let delete)?:
      return "delete \(delete.document.split(separator: "/").last ?? "") "
        + "\(delete.removedTargetIds)"
    case .targetChange(let change)?: return "\(change.name) \(change.targetIds)"
    default: return "other"
    }
  }

  private static func token(of messages: [Response]) throws -> Data {
    try #require(messages.last?.targetChange.resumeToken)
  }

  @Test func aClientThatDoesNotReadIsToldTheLatestResultAlone() async throws {
    let database = try Database.inMemory()
    try Self.set("c/a", 0, in: database)
    let listener = DirectListener(to: database)
    listener.send { $0.add(2, collection: "c") }
    _ = await listener.snapshot()
    try Self.set("c/a", 1, in: database)
    // The server waits with this message for its client to read.
    let first = try #require(await listener.next(holds: true))
    #expect(Self.form(first) == "change a 1 [2] []")
    for number in 2...100 { try Self.set("c/a", Int64(number), in: database) }
    listener.goOn()
    #expect(await listener.snapshot().map(Self.form) == ["noChange []"])
    #expect(await listener.snapshot().map(Self.form) == ["change a 100 [2] []", "noChange []"])
    #expect(await listener.end() == nil)
  }

  @Test func aSilentStreamIsToldTheTime() async throws {
    let database = try Database.inMemory()
    try Self.set("c/a", 0, in: database)
    let listener = DirectListener(to: database)
    listener.send { $0.add(2, collection: "c") }
    let first = try #require(await listener.snapshot().last).targetChange
    listener.passTime()
    let message = try #require(await listener.next())
    #expect(message.isSnapshot)
    #expect(message.targetChange.resumeToken == first.resumeToken)
    let told = message.targetChange.readTime
    #expect(told.isLater(than: first.readTime))
    // No later commit has that time or an earlier one.
    try Self.set("c/a", 1, in: database)
    let next = try #require(await listener.snapshot().last).targetChange.readTime
    #expect(next.isLater(than: told))
    #expect(await listener.end() == nil)
  }

  @Test func aStreamWithoutTargetsIsSilent() async throws {
    let database = try Database.inMemory()
    let listener = DirectListener(to: database)
    listener.send { $0.removeTarget = 7 }
    listener.passTime()
    listener.send { $0.add(2, collection: "c") }
    #expect(
      await listener.snapshot().map(Self.form) == ["add [2]", "current [2]", "noChange []"])
    #expect(await listener.end() == nil)
  }

  @Test func allTargetsAreToldOfOneMoment() async throws {
    let database = try Database.inMemory()
    let listener = DirectListener(to: database)
    for id in [2, 4] as [Int32] {
      listener.send { $0.add(id, collection: id == 2 ? "c" : "d") }
      _ = await listener.snapshot()
    }
    for number in 1...20 as ClosedRange<Int64> {
      try Self.set(["c/a", "d/a"], number, in: database)
      let messages = await listener.snapshot().map(Self.form)
      #expect(
        messages.sorted() == [
          "change a \(number) [2] []", "change a \(number) [4] []", "noChange []",
        ])
    }
    #expect(await listener.end() == nil)
  }

  @Test func aDocumentThatOneTargetLosesAndAnotherHasIsSentOnce() async throws {
    let database = try Database.inMemory()
    try Self.set("c/a", 5, in: database)
    let listener = DirectListener(to: database)
    listener.send { $0.add(2, collection: "c") }
    _ = await listener.snapshot()
    listener.send {
      $0.add(4, collection: "c") { target in
        target.query.structuredQuery.where.fieldFilter = .with { filter in
          filter.field.fieldPath = "n"
          filter.op = .greaterThan
          filter.value.integerValue = 3
        }
      }
    }
    _ = await listener.snapshot()
    try Self.set("c/a", 1, in: database)
    #expect(await listener.snapshot().map(Self.form) == ["change a 1 [2] [4]", "noChange []"])
    #expect(await listener.end() == nil)
  }

  @Test func aRefusedTargetHasTheDetailsOfARefusedQuery() async throws {
    let database = try Database.inMemory()
    let listener = DirectListener(to: database)
    listener.send {
      $0.add(2, collection: "c") { target in
        for field in ["a", "b"] {
          target.query.structuredQuery.orderBy.append(.with { $0.field.fieldPath = field })
        }
      }
    }
    #expect(await listener.next().map(Self.form) == "add [2]")
    let removal = try #require(await listener.next()).targetChange
    #expect(removal.targetChangeType == .remove)
    #expect(removal.cause.code == 9)
    let help = try Google_Rpc_Help(unpackingAny: try #require(removal.cause.details.first))
    #expect(help.links.first?.description_p.hasPrefix("hearth index create") == true)
    #expect(listener.refusals.count == 1)
    // The stream goes on.
    listener.send { $0.add(4, collection: "c") }
    #expect(
      await listener.snapshot().map(Self.form) == ["add [4]", "current [4]", "noChange []"])
    #expect(await listener.end() == nil)
  }

  @Test func aTargetWithTooManyDocumentsIsRefusedAlone() async throws {
    let database = try Database.inMemory()
    let listener = DirectListener(to: database)
    let name = "\(DirectListener.database)/documents/c/"
    listener.send {
      $0.addTarget.targetID = 2
      $0.addTarget.documents.documents = (0...20_000).map { "\(name)\($0)" }
    }
    #expect(await listener.next().map(Self.form) == "add [2]")
    #expect(await listener.next()?.targetChange.cause.code == 8)
    listener.send { $0.add(4, collection: "c") }
    #expect(
      await listener.snapshot().map(Self.form) == ["add [4]", "current [4]", "noChange []"])
    #expect(await listener.end() == nil)
  }

  // MARK: Tokens

  /// Listens to a collection from a token on.
  private static func messages(
    from token: Data, in database: Database
  ) async -> [String] {
    let listener = DirectListener(to: database)
    listener.send { $0.add(2, collection: "c") { $0.resumeToken = token } }
    var messages: [String] = []
    while let message = await listener.next() {
      messages.append(form(message))
      if message.isSnapshot || message.targetChange.hasCause { break }
    }
    _ = await listener.end()
    return messages
  }

  private static func token(in database: Database) async throws -> Data {
    let listener = DirectListener(to: database)
    listener.send { $0.add(2, collection: "c") }
    let token = try token(of: await listener.snapshot())
    _ = await listener.end()
    return token
  }

  @Test func aTokenThatWasNeverGivenOutIsRefused() async throws {
    let database = try Database.inMemory()
    let token = try await Self.token(in: database)
    var wrong: [Data] = [Data([1]), Data(repeating: 0, count: 25), token.dropLast(), token + [0]]
    for index in token.indices {
      var other = token
      other[index] ^= 1
      wrong.append(other)
    }
    for token in wrong {
      #expect(await Self.messages(from: Data(token), in: database) == ["remove [2]"])
    }
    let known = await Self.messages(from: token, in: database)
    #expect(known == ["add [2]", "current [2]", "noChange []"])
  }

  @Test func aDatabaseThatWasMadeAnewIsNotTheOneOfTheToken() async throws {
    let old = try Database.inMemory()
    try Self.set("c/a", 1, in: old)
    let token = try await Self.token(in: old)
    let new = try Database.inMemory()
    try Self.set("c/b", 2, in: new)
    #expect(
      await Self.messages(from: token, in: new) == [
        "add [2]", "reset [2]", "change b 2 [2] []", "current [2]", "noChange []",
      ])
  }

  @Test func withoutHistoryTheWholeResultIsSent() async throws {
    let database = try Database.inMemory()
    try Self.set("c/a", 1, in: database)
    let token = try await Self.token(in: database)
    try Self.set("c/b", 2, in: database)
    #expect(
      await Self.messages(from: token, in: database) == [
        "add [2]", "reset [2]", "change a 1 [2] []", "change b 2 [2] []", "current [2]",
        "noChange []",
      ])
  }

  @Test func aClosedDatabaseEndsTheStream() async throws {
    let database = try Database.inMemory()
    let listener = DirectListener(to: database)
    listener.send { $0.add(2, collection: "c") }
    _ = await listener.snapshot()
    try await database.close()
    #expect(await listener.next() == nil)
    let error = await listener.end() as? DatabaseError
    #expect(error?.forClient.code == .unavailable)
  }
}

extension Google_Firestore_V1_TargetChange {
  fileprivate var name: String {
    switch targetChangeType {
    case .noChange: "noChange"
    case .add: "add"
    case .remove: "remove"
    case .current: "current"
    case .reset: "reset"
    case .UNRECOGNIZED: "unknown"
    }
  }
}

extension Google_Protobuf_Timestamp {
  fileprivate func isLater(than other: Google_Protobuf_Timestamp) -> Bool {
    (seconds, nanos) > (other.seconds, other.nanos)
  }
}
