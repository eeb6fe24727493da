import HearthServerTransport

/// The origin of a page that may use the server.
struct CrossOrigin {
  /// The header, such as `http://localhost:3000`.
  let origin: String

  /// Returns the headers without which a browser keeps an answer from its page. They belong to
  /// refusals too.
  func headers(for request: HTTPRequest) -> [(name: String, value: String)] {
    var headers = [
      (name: "access-control-allow-origin", value: origin),
      (name: "access-control-allow-credentials", value: "true"),
      (name: "access-control-allow-methods", value: "DELETE,GET,HEAD,PATCH,POST,PUT"),
      (name: "vary", value: "Origin"),
    ]
    guard request.isPreflight else { return headers }
    headers.append((name: "access-control-max-age", value: "3600"))
    if let asked = request.header("access-control-request-headers") {
      headers.append((name: "access-control-allow-headers", value: asked))
    }
    if request.header("access-control-request-private-network") == "true" {
      headers.append((name: "access-control-allow-private-network", value: "true"))
    }
    return headers
  }
}

extension HTTPRequest {
  /// The origin of the page that sends it; `nil` for a request of no page.
  var crossOrigin: CrossOrigin? { header("origin").map(CrossOrigin.init) }

  /// Whether a browser asks here for a page of another origin, before it sends the request itself.
  var isPreflight: Bool {
    method == "OPTIONS" && header("access-control-request-method") != nil
  }
}
