import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf
import Synchronization

/// A client of `Listen` without a port between: the server goes on only when it has taken the
/// message before.
final class DirectListener: Sendable {
  typealias Request = Google_Firestore_V1_ListenRequest
  typealias Response = Google_Firestore_V1_ListenResponse

  static let database = "projects/demo-project/databases/(default)"

  private let requests: AsyncStream<Request>.Continuation
  private let responses: AsyncStream<Response>
  private let taken: AsyncStream<Void>.Continuation
  private let silences: AsyncStream<Void>.Continuation
  private let task: Task<Void, any Error>
  private let noted = Noted()

  /// - Parameters:
  ///   - creation: creates the indexes that queries lack; `nil` for refusing the queries.
  ///   - count: the listeners of all clients.
  ///   - rules: the rules by which the client is judged.
  ///   - authorization: the credentials of the client.
  init(
    to database: Database, creating creation: IndexCreation? = nil,
    sharing count: ListenerCount = ListenerCount(), under rules: ServedRules = ServedRules(),
    as authorization: String? = nil
  ) {
    let (requestStream, requests) = AsyncStream.makeStream(of: Request.self)
    let (responses, response) = AsyncStream.makeStream(of: Response.self)
    let (takenStream, taken) = AsyncStream.makeStream(of: Void.self)
    let (silenceStream, silences) = AsyncStream.makeStream(of: Void.self)
    let noted = noted
    (self.requests, self.responses, self.taken) = (requests, responses, taken)
    self.silences = silences
    let calls = DocumentCalls(
      OneDatabase(database: database), rules: rules,
      noteRefusal: { refusal in noted.errors.withLock { $0.append(refusal.error) } },
      listenerCount: count,
      silence: {
        for await _ in silenceStream { return }
        throw CancellationError()
      })
    task = Task {
      defer { response.finish() }
      try await calls.listen(
        {
          for await request in requestStream { return request }
          return nil
        }, CallContext(authorization: authorization), creating: creation
      ) {
        response.yield($0)
        for await _ in takenStream { return }
      }
    }
  }

  deinit { task.cancel() }

  /// The refusals that the server has noted.
  var refusals: [DatabaseError] { noted.errors.withLock { $0 } }

  func send(_ change: (inout Request) -> Void) {
    requests.yield(
      .with { request in
        request.database = DirectListener.database
        change(&request)
      })
  }

  /// Ends the client's messages, and returns the error with which the server ends its own.
  func end() async -> (any Error)? {
    requests.finish()
    taken.finish()
    do {
      try await task.value
      return nil
    } catch {
      return error
    }
  }

  /// Lets the longest silence pass.
  func passTime() { silences.yield() }

  /// Returns the next message, and lets the server go on only at the next call if `holds`.
  func next(holds: Bool = false) async -> Response? {
    for await response in responses {
      if !holds { taken.yield() }
      return response
    }
    return nil
  }

  /// Lets the server go on.
  func goOn() { taken.yield() }

  /// Returns the messages up to the next one that makes all targets consistent.
  func snapshot() async -> [Response] {
    var messages: [Response] = []
    while let message = await next() {
      messages.append(message)
      if message.isSnapshot { break }
    }
    return messages
  }
}

private final class Noted: Sendable {
  let errors = Mutex<[DatabaseError]>([])
}

/// One database for all names.
struct OneDatabase: DatabaseSource {
  let database: Database

  func database(
    _ id: DatabaseID, for use: DatabaseUse
  ) async throws(DatabaseError) -> Database { database }
}

extension Google_Firestore_V1_ListenResponse {
  /// Whether all targets are consistent with this message.
  var isSnapshot: Bool {
    guard case .targetChange(let change)? = responseType else { return false }
    return change.targetChangeType == .noChange && change.targetIds.isEmpty && change.hasReadTime
  }
}

extension Google_Firestore_V1_ListenRequest {
  /// Adds a collection as a target.
  mutating func add(
    _ id: Int32, collection: String, _ change: (inout Google_Firestore_V1_Target) -> Void = { _ in }
  ) {
    addTarget = .with { target in
      target.targetID = id
      target.query.parent = "\(DirectListener.database)/documents"
      target.query.structuredQuery.from = [.with { $0.collectionID = collection }]
      change(&target)
    }
  }
}
