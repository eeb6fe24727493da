import HearthDocumentModel
package import HearthServerCalls
import HearthServerTransport
import SwiftProtobuf

/// A method with any number of messages in each direction, as bytes. Both gRPC and WebChannel call
/// it.
package struct StreamMethod: Sendable {
  /// The names of the messages in the definitions.
  let requestType: String
  let responseType: String
  /// Answers the client's messages up to the last one.
  ///
  /// - Throws: the database's errors; `invalidArgument` for bytes that are no request.
  let answer:
    @Sendable (@escaping Receiving<[UInt8]>, CallContext, Sending<[UInt8]>) async throws -> Void

  package init(
    requestType: String, responseType: String,
    _ answer:
      @escaping @Sendable (@escaping Receiving<[UInt8]>, CallContext, Sending<[UInt8]>)
      async throws -> Void
  ) {
    self.requestType = requestType
    self.responseType = responseType
    self.answer = answer
  }

  /// Makes a method of messages.
  init<Request: Message, Response: Message>(
    _ answer:
      @escaping @Sendable (@escaping Receiving<Request>, CallContext, Sending<Response>)
      async throws -> Void
  ) {
    self.init(
      requestType: Request.protoMessageName, responseType: Response.protoMessageName
    ) { receive, context, send in
      try await answer({ try await receive().map { try Request(request: $0) } }, context) {
        try await send($0.serializedBytes())
      }
    }
  }
}

extension RPCMethod {
  /// The method as gRPC calls it.
  init(_ method: StreamMethod) {
    self.init(.many) { call in
      // The client may wait for the headers before it sends anything.
      call.accept()
      do {
        try await method.answer({ try await call.next() }, call.context) {
          try await call.send($0)
        }
      } catch let error as DatabaseError {
        throw RPCStatus(error)
      }
    }
  }
}
