import HearthDocumentModel
package import HearthServerCalls
import SwiftProtobuf

/// A method of a service, from the bytes of one message to those of its answers. Both gRPC and REST
/// call it.
package struct ServiceMethod: Sendable {
  /// The names of the messages in the definitions.
  let requestType: String
  let responseType: String
  /// Whether it answers by any number of messages.
  let streams: Bool
  /// Answers a request.
  ///
  /// - Throws: the database's errors; `invalidArgument` for bytes that are no request.
  let answer: @Sendable ([UInt8], CallContext, Sending<[UInt8]>) async throws -> Void

  package init(
    requestType: String, responseType: String, streams: Bool,
    _ answer: @escaping @Sendable ([UInt8], CallContext, Sending<[UInt8]>) async throws -> Void
  ) {
    self.requestType = requestType
    self.responseType = responseType
    self.streams = streams
    self.answer = answer
  }

  /// Returns the method for callers whom `check` doesn't refuse.
  func checked(
    by check: @escaping @Sendable (CallContext) throws(DatabaseError) -> Void
  ) -> ServiceMethod {
    ServiceMethod(requestType: requestType, responseType: responseType, streams: streams) {
      bytes, context, send in
      try check(context)
      try await answer(bytes, context, send)
    }
  }

  /// Makes a method with one message in each direction.
  static func unary<Request: Message, Response: Message>(
    _ answer:
      @escaping @Sendable (Request, CallContext) async throws(DatabaseError) -> Response
  ) -> ServiceMethod {
    ServiceMethod(
      requestType: Request.protoMessageName, responseType: Response.protoMessageName,
      streams: false
    ) { bytes, context, send in
      try await send(try await answer(try Request(request: bytes), context).serializedBytes())
    }
  }

  /// Makes a method that answers one message by any number.
  static func streaming<Request: Message, Response: Message>(
    _ answer:
      @escaping @Sendable (Request, CallContext, Sending<Response>) async throws -> Void
  ) -> ServiceMethod {
    ServiceMethod(
      requestType: Request.protoMessageName, responseType: Response.protoMessageName,
      streams: true
    ) { bytes, context, send in
      try await answer(try Request(request: bytes), context) { response in
        try await send(response.serializedBytes())
      }
    }
  }
}

extension Message {
  /// - Throws: `invalidArgument` for bytes that are no such message.
  init(request bytes: [UInt8]) throws(DatabaseError) {
    do {
      try self.init(serializedBytes: bytes)
    } catch {
      throw .invalidArgument("The bytes of the request are no \(Self.protoMessageName).")
    }
  }
}
