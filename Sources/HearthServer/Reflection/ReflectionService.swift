import FoundationEssentials
import HearthProtocols
import HearthServerTransport
import SwiftProtobuf

/// `grpc.reflection`: tools such as grpcurl ask it for the definitions of the services.
///
/// The versions `v1` and `v1alpha` have the same messages.
struct ReflectionService: Sendable {
  static let names = [
    "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection",
  ]

  private typealias Request = Grpc_Reflection_V1alpha_ServerReflectionRequest
  private typealias Response = Grpc_Reflection_V1alpha_ServerReflectionResponse

  /// The largest question. Each is sent back with its answer.
  private static let questionByteCount = 4 << 10

  private let services: [String]
  private let definitions: DefinitionFiles

  /// - Parameter services: the names of the services that the server has.
  init(_ services: some Sequence<String>) {
    self.services = services.sorted()
    definitions = DefinitionFiles()
  }

  /// The method that answers each question of a client's with one message.
  var method: RPCMethod {
    RPCMethod(.many, messageByteCount: ReflectionService.questionByteCount) { [self] call in
      while let bytes = try await call.next() {
        guard let request = try? Request(serializedBytes: bytes) else {
          throw RPCStatus(
            .invalidArgument,
            "The bytes of the request are no \(Request.protoMessageName).")
        }
        try await call.send(answer(request).serializedBytes())
      }
    }
  }

  private func answer(_ request: Request) -> Response {
    Response.with { response in
      response.validHost = request.host
      response.originalRequest = request
      switch request.messageRequest {
      case .listServices?:
        response.listServicesResponse.service = services.map { name in .with { $0.name = name } }
      case .fileByFilename(let name)?: response.setFile(definitions[name], asked: name)
      case .fileContainingSymbol(let name)?:
        response.setFile(definitions.file(defining: name), asked: name)
      case .allExtensionNumbersOfType(let type)?:
        // Definitions of this syntax have no extensions.
        response.allExtensionNumbersResponse.baseTypeName = type
      case .fileContainingExtension(let question)?:
        response.setFile(nil, asked: "\(question.containingType) \(question.extensionNumber)")
      case nil: response.setError(.invalidArgument, "The request asks for nothing.")
      }
    }
  }
}

extension Grpc_Reflection_V1alpha_ServerReflectionResponse {
  fileprivate mutating func setFile(_ file: Data?, asked name: String) {
    guard let file else {
      return setError(.notFound, "The server has no definition of \"\(name)\".")
    }
    fileDescriptorResponse.fileDescriptorProto = [file]
  }

  fileprivate mutating func setError(_ code: RPCStatus.Code, _ message: String) {
    errorResponse.errorCode = Int32(code.rawValue)
    errorResponse.errorMessage = message
  }
}

extension Services {
  /// Adds the service that has the definitions of all others before it.
  mutating func addReflection() {
    let reflection = ReflectionService(names.union(ReflectionService.names))
    for name in ReflectionService.names {
      add(name, "ServerReflectionInfo", reflection.method)
    }
  }
}
