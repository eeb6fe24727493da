import HearthServerTransport

/// The addresses of the main port: Firestore's, those of its channels, the emulators', those of
/// sign-in, Hearth's own administration and the console.
struct MainPages: Sendable {
  let rest: RESTService
  /// Hearth's own administration.
  let inspection: InspectionService
  /// The emulators' own addresses; `nil` for a server without them.
  let emulator: EmulatorService?
  let signIn: SignInPages
  let channels: WebChannels
  /// The console; `nil` for a server without it.
  let console: ConsolePages?
  /// Makes the page of metrics, or a refusal.
  let metrics: @Sendable (HTTPRequest) -> HTTPResponse
  /// The paths of gRPC's calls.
  let calls: Set<String>

  @Sendable func answer(_ request: HTTPRequest, _ send: HTTPSending) async -> HTTPResponse {
    if request.version == 2, calls.contains(request.target) {
      return MainPages.wrongType(request.header("content-type") ?? "")
    }
    if request.method == "GET", request.target == "/metrics" { return metrics(request) }
    if let answer = await channels.answer(request, send) { return answer }
    if let answer = await signIn.answer(request) { return answer }
    if let answer = console?.answer(request) { return answer }
    if request.method == "GET", request.target == "/" { return SignInPages.ready }
    if let answer = await inspection.answer(request) { return answer }
    if let answer = await emulator?.answer(request) { return answer }
    return await rest.answer(request, send) ?? HTTPResponse(404, text: "Not Found\n")
  }

  /// Whether a request is for a page that asks for credentials itself, or for none.
  @Sendable func needsNoToken(_ request: HTTPRequest) -> Bool {
    channels.serves(request.target) || console?.serves(request) == true
  }

  /// Returns the answer to a call with another content type than gRPC's.
  private static func wrongType(_ type: String) -> HTTPResponse {
    let text = "Content-Type '\(type)' is not supported"
    var response = HTTPResponse(415, text: text)
    response.headers += [("grpc-status", "13"), ("grpc-message", text)]
    return response
  }
}
