import HearthServerTransport

/// The answers to requests of HTTP that are no calls of gRPC.
struct HTTPService: Sendable {
  private let rest: RESTService
  /// The paths of gRPC's calls.
  private let calls: Set<String>

  init(_ rest: RESTService, calls: Set<String>) {
    self.rest = rest
    self.calls = calls
  }

  /// Answers a request. That of another origin's page is refused before it has any effect.
  @Sendable func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard let text = request.header("origin") else { return await sameOriginAnswer(request) }
    guard let origin = CrossOrigin(text) else {
      return HTTPResponse(403, text: "The origin \(text) is not allowed.\n")
    }
    guard !request.isPreflight else {
      return HTTPResponse(200, headers: origin.headers(for: request))
    }
    var response = await sameOriginAnswer(request)
    response.headers += origin.headers(for: request)
    return response
  }

  private func sameOriginAnswer(_ request: HTTPRequest) async -> HTTPResponse {
    // Tools ask for it to see that the server is up.
    if request.method == "GET", request.target == "/" {
      return HTTPResponse(200, body: Array("Ok\n".utf8))
    }
    if request.version == 2, calls.contains(request.target) {
      return HTTPService.wrongType(request.header("content-type") ?? "")
    }
    return await rest.answer(request) ?? HTTPResponse(404, text: "Not Found\n")
  }

  /// Returns the answer to a call with another content type than gRPC's.
  private static func wrongType(_ type: String) -> HTTPResponse {
    let text = "Content-Type '\(type)' is not supported"
    var response = HTTPResponse(415, text: text)
    response.headers += [("grpc-status", "13"), ("grpc-message", text)]
    return response
  }
}
