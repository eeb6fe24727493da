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
  /// Receives the calls that are refused: the method, and the name of the code.
  private let noteRefusal: @Sendable (_ method: String, _ code: String) -> Void

  init(
    _ admission: Admission, _ rest: RESTService, _ emulator: EmulatorService,
    metrics: @escaping @Sendable () -> HTTPResponse, calls: Set<String>,
    noteRefusal: @escaping @Sendable (_ method: String, _ code: String) -> Void
  ) {
    self.admission = admission
    self.rest = rest
    self.emulator = emulator
    self.metrics = metrics
    self.calls = calls
    self.noteRefusal = noteRefusal
  }

  /// The answers of the port.
  var answers: HTTPAnswers {
    HTTPAnswers(
      admits: { request in refusal(of: request).map { answer(to: request, refusing: $0) } },
      refuses: { request, fault in answer(to: request, refusing: HTTPRefusal(fault)) },
      answer: answer)
  }

  /// Returns the reason for not admitting a request, by its headers; `nil` to admit it.
  private func refusal(of request: HTTPRequest) -> HTTPRefusal? {
    let (hosts, origins) = (request.values(of: "host"), request.values(of: "origin"))
    guard hosts.count == 1, origins.count <= 1 else { return .severalHosts }
    if let reason = admission.refusal(authority: hosts[0], origin: origins.first) {
      return .forbidden(reason)
    }
    // A browser sends no token with a preflight, which has no effect.
    let authorizations = request.values(of: "authorization")
    let isAdmitted = authorizations.count <= 1 && admission.tokens.admit(authorizations.first)
    return request.isPreflight || isAdmitted ? nil : .missingToken
  }

  /// Answers a request that is refused, and counts it.
  private func answer(to request: HTTPRequest, refusing refusal: HTTPRefusal) -> HTTPResponse {
    if let method = rest.method(of: request) { noteRefusal(method, refusal.code) }
    let origins = request.values(of: "origin")
    // A page of another origin is told nothing.
    guard origins.count == 1, admission.admits(origin: origins[0]) else { return refusal.response }
    return refusal.response.adding(CrossOrigin(origin: origins[0]).headers(for: request))
  }

  /// Answers a request that is admitted.
  @Sendable private func answer(_ request: HTTPRequest, _ send: HTTPSending) async -> HTTPResponse {
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
