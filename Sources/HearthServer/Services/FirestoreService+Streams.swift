import HearthDocumentModel
import HearthServerCalls
import HearthServerTransport
import SwiftProtobuf

extension FirestoreService {
  /// The methods whose clients send any number of messages, by their names. Only gRPC has them.
  ///
  /// - Parameter creation: creates the indexes that queries lack; `nil` for refusing the queries.
  static func streams(
    _ calls: DocumentCalls, _ creation: IndexCreation?
  ) -> [String: RPCMethod] {
    [
      "Listen": RPCMethod { receive, context, send in
        try await calls.listen(receive, context, creating: creation, send: send)
      },
      "Write": RPCMethod(streaming: calls.write),
    ]
  }
}

extension RPCMethod {
  /// Makes a method with any number of messages in each direction.
  fileprivate init<Request: Message, Response: Message>(
    streaming answer:
      @escaping @Sendable (@escaping Receiving<Request>, CallContext, Sending<Response>)
      async throws -> Void
  ) {
    self.init(.many) { call in
      // The client may wait for the headers before it sends anything.
      call.accept()
      do {
        try await answer({ try await call.next().map { try Request(request: $0) } }, call.context) {
          try await call.send($0.serializedBytes())
        }
      } catch let error as DatabaseError {
        throw RPCStatus(error)
      }
    }
  }
}
