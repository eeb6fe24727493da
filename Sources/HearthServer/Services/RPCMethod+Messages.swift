import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import HearthServerTransport
import SwiftProtobuf

extension RPCMethod {
  /// Makes a method with one message in each direction.
  static func unary<Request: Message, Response: Message>(
    _ answer:
      @escaping @Sendable (Request, CallContext) async throws(DatabaseError) -> Response
  ) -> RPCMethod {
    RPCMethod(.one) { call in
      let request = try await Request(requestOf: call)
      try await RPCStatus.reporting {
        call.reply(try await answer(request, CallContext(of: call)).serializedBytes())
      }
    }
  }

  /// Makes a method that answers one message by any number.
  static func streaming<Request: Message, Response: Message>(
    _ answer:
      @escaping @Sendable (Request, CallContext, Sending<Response>) async throws -> Void
  ) -> RPCMethod {
    RPCMethod(.one) { call in
      let request = try await Request(requestOf: call)
      try await RPCStatus.reporting {
        try await answer(request, CallContext(of: call)) { response in
          try await call.send(response.serializedBytes())
        }
      }
    }
  }
}

extension Message {
  /// Reads the only message of a call.
  ///
  /// - Throws: `invalidArgument` for bytes that are no such message.
  fileprivate init(requestOf call: RPCCall) async throws {
    let bytes = try await call.next() ?? []
    do {
      try self.init(serializedBytes: bytes)
    } catch {
      throw RPCStatus(
        .invalidArgument, "The bytes of the request are no \(Self.protoMessageName).")
    }
  }
}

extension CallContext {
  fileprivate init(of call: RPCCall) {
    self.init(
      deadline: call.deadline, resourcePrefix: call.header("google-cloud-resource-prefix"))
  }
}

extension RPCStatus {
  /// Runs `body`, and turns the database's errors into statuses.
  fileprivate static func reporting(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as DatabaseError {
      throw RPCStatus(error)
    }
  }

  init(_ error: DatabaseError) {
    let message = Google_Rpc_Status(error)
    let bytes: [UInt8] = message.details.isEmpty ? [] : (try? message.serializedBytes()) ?? []
    let details = Base64.text(of: bytes, .standard).prefix { $0 != "=" }
    self.init(
      Code(rawValue: error.code.rawValue) ?? .unknown, error.message, details: String(details))
  }
}
