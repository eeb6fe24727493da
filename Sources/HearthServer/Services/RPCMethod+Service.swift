import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import HearthServerTransport
import SwiftProtobuf

extension RPCMethod {
  /// The method as gRPC calls it.
  init(_ method: ServiceMethod) {
    self.init(.one) { call in
      let bytes = try await call.next() ?? []
      do {
        try await method.answer(bytes, call.context) { response in
          if method.streams { try await call.send(response) } else { call.reply(response) }
        }
      } catch let error as DatabaseError {
        throw RPCStatus(error)
      }
    }
  }
}

extension RPCCall {
  var context: CallContext {
    CallContext(
      deadline: deadline, resourcePrefix: header("google-cloud-resource-prefix"),
      authorization: header("authorization"))
  }
}

extension RPCStatus {
  init(_ error: DatabaseError) {
    let error = error.forClient
    let message = Google_Rpc_Status(error)
    let bytes: [UInt8] = message.details.isEmpty ? [] : (try? message.serializedBytes()) ?? []
    let details = Base64.text(of: bytes, .standard).prefix { $0 != "=" }
    self.init(
      Code(rawValue: error.code.rawValue) ?? .unknown, error.message, details: String(details))
  }
}
