import HearthServerTransport

/// A page of another origin that may use the server: one from this machine.
struct CrossOrigin {
  private static let loopback = ["localhost", "127.0.0.1", "[::1]"]

  private let origin: String

  /// - Parameter origin: the header, such as `http://localhost:3000`.
  /// - Returns: `nil` for an origin elsewhere, and for a page without one.
  init?(_ origin: String) {
    let parts = origin.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "http" || parts[0] == "https" else { return nil }
    let isLocal = CrossOrigin.loopback.contains { host in
      guard parts[1].hasPrefix(host) else { return false }
      let port = parts[1].dropFirst(host.count)
      let digits = port.dropFirst()
      return port.isEmpty
        || port.hasPrefix(":") && !digits.isEmpty
          && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    guard isLocal else { return nil }
    self.origin = origin
  }

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
  /// Whether a browser asks here for a page of another origin, before it sends the request itself.
  var isPreflight: Bool {
    method == "OPTIONS" && header("access-control-request-method") != nil
  }
}
