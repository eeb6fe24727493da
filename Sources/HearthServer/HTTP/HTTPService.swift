import HearthServerTransport

/// The answers to requests of HTTP that are no calls of gRPC.
struct HTTPService: Sendable {
  private let admission: Admission
  private let rest: RESTService
  private let emulator: EmulatorService
  /// Makes the page of metrics.
  private let metrics: @Sendable () -> HTTPResponse
  /// The paths of gRPC's calls.
  private let calls: Set<String>

  init(
    _ admission: Admission, _ rest: RESTService, _ emulator: EmulatorService,
    metrics: @escaping @Sendable () -> HTTPResponse, calls: Set<String>
  ) {
    self.admission = admission
    self.rest = rest
    self.emulator = emulator
    self.metrics = metrics
    self.calls = calls
  }

  /// Returns the answer to a request that isn't admitted, by its headers; `nil` for one that is.
  @Sendable func refusal(of request: HTTPRequest) -> HTTPResponse? {
    let (hosts, origins) = (request.values(of: "host"), request.values(of: "origin"))
    guard hosts.count == 1, origins.count <= 1 else {
      return HTTPResponse(400, text: "A request has one host, and at most one origin.\n")
    }
    if let reason = admission.refusal(authority: hosts[0], origin: origins.first) {
      return HTTPResponse(403, text: "\(reason)\n")
    }
    // A browser sends no token with a preflight, which has no effect.
    let authorizations = request.values(of: "authorization")
    guard !request.isPreflight,
      authorizations.count > 1
        || !admission.tokens.admit(authorizations.first)
    else { return nil }
    var response = RESTService.response(
      401, RESTService.errorBody(401, "UNAUTHENTICATED", Admission.missingToken))
    response.headers.append(("www-authenticate", "Bearer"))
    response.headers += request.crossOrigin?.headers(for: request) ?? []
    return response
  }

  /// Answers a request that is admitted.
  @Sendable func answer(_ request: HTTPRequest, _ send: HTTPSending) async -> HTTPResponse {
    guard let origin = request.crossOrigin else { return await sameOriginAnswer(request, send) }
    let headers = origin.headers(for: request)
    guard !request.isPreflight else { return HTTPResponse(200, headers: headers) }
    let response = await sameOriginAnswer(request) { part in
      try await send(part.adding(headers))
    }
    return response.adding(headers)
  }

  private func sameOriginAnswer(
    _ request: HTTPRequest, _ send: HTTPSending
  ) async -> HTTPResponse {
    if request.version == 2, calls.contains(request.target) {
      return HTTPService.wrongType(request.header("content-type") ?? "")
    }
    if request.method == "GET", request.target == "/metrics" { return metrics() }
    if let answer = await emulator.answer(request) { return answer }
    return await rest.answer(request, send) ?? HTTPResponse(404, text: "Not Found\n")
  }

  /// Returns the answer to a call with another content type than gRPC's.
  private static func wrongType(_ type: String) -> HTTPResponse {
    let text = "Content-Type '\(type)' is not supported"
    var response = HTTPResponse(415, text: text)
    response.headers += [("grpc-status", "13"), ("grpc-message", text)]
    return response
  }
}

extension HTTPResponse {
  fileprivate func adding(_ headers: [(name: String, value: String)]) -> HTTPResponse {
    var response = self
    response.headers += headers
    return response
  }
}
