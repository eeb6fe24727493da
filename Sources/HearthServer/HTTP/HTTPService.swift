import HearthServerTransport

/// The answers to requests of HTTP that are no calls of gRPC, at one port.
struct HTTPService: Sendable {
  /// Answers a request that is admitted. Sends the beginning of a large answer.
  typealias Pages = @Sendable (HTTPRequest, HTTPSending) async -> HTTPResponse

  private let admission: Admission
  /// Whether a request carries its credentials elsewhere than in a header, where its pages look.
  private let hasOtherCredentials: @Sendable (HTTPRequest) -> Bool
  private let pages: Pages
  /// Receives the requests that are refused, with the name of the code.
  private let noteRefusal: @Sendable (HTTPRequest, _ code: String) -> Void

  init(
    _ admission: Admission,
    hasOtherCredentials: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
    pages: @escaping Pages,
    noteRefusal: @escaping @Sendable (HTTPRequest, _ code: String) -> Void = { _, _ in }
  ) {
    self.admission = admission
    self.hasOtherCredentials = hasOtherCredentials
    self.pages = pages
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
    let isLetThrough = request.isPreflight || hasOtherCredentials(request)
    return isLetThrough || isAdmitted ? nil : .missingToken
  }

  /// Answers a request that is refused, and counts it.
  private func answer(to request: HTTPRequest, refusing refusal: HTTPRefusal) -> HTTPResponse {
    noteRefusal(request, refusal.code)
    let origins = request.values(of: "origin")
    // A page of another origin is told nothing.
    guard origins.count == 1, admission.admits(origin: origins[0]) else { return refusal.response }
    return refusal.response.adding(CrossOrigin(origin: origins[0]).headers(for: request))
  }

  /// Answers a request that is admitted.
  @Sendable private func answer(_ request: HTTPRequest, _ send: HTTPSending) async -> HTTPResponse {
    guard let origin = request.crossOrigin else { return await pages(request, send) }
    let headers = origin.headers(for: request)
    guard !request.isPreflight else { return HTTPResponse(200, headers: headers) }
    let response = await pages(request) { part in try await send(part.adding(headers)) }
    return response.adding(headers)
  }
}

extension HTTPResponse {
  fileprivate func adding(_ headers: [(name: String, value: String)]) -> HTTPResponse {
    var response = self
    response.headers += headers
    return response
  }
}
