import HearthServerTransport

/// The rule for the requests that are served at all, which is applied before they have any effect.
///
/// Pages in a browser on this machine reach the port as well. A page of another origin is told by
/// the header `Origin`. A name that its owner has made to stand for this machine's address, so that
/// the browser takes the server for a part of the page's own site, is told by `Host`.
struct Admission: Sendable {
  /// Names of this machine beside its loopback addresses, in lower case.
  let hosts: Set<String>
  /// Whether addresses are names of this machine too: no page can have its own as its name.
  let takesAddresses: Bool
  /// Origins beside those on this machine, in lower case.
  let origins: Set<String>
  /// The tokens of which each request must bear one.
  let tokens: AccessTokens

  static let missingToken =
    "The server asks for an access token, in the header \"authorization: Bearer TOKEN\"."

  /// Returns the reason to refuse a request; `nil` for none.
  ///
  /// - Parameters:
  ///   - authority: the header `Host` or `:authority`; `nil` if there is none.
  ///   - origin: the header `Origin`; `nil` if there is none.
  func refusal(authority: String?, origin: String?) -> String? {
    if let authority, !admits(authority: authority) {
      return "The host \(authority) is not allowed; `--allow-host` allows it."
    }
    if let origin, !admits(origin: origin) {
      return "The origin \(origin) is not allowed; `--allow-origin` allows it."
    }
    return nil
  }

  /// Refuses a call of gRPC that isn't admitted.
  ///
  /// - Throws: `permissionDenied`; `unauthenticated` for one without a token that is known.
  @Sendable func check(_ header: (_ name: String) -> String?) throws(RPCStatus) {
    let authority = header(":authority") ?? header("host")
    if let reason = refusal(authority: authority, origin: header("origin")) {
      throw RPCStatus(.permissionDenied, reason)
    }
    guard tokens.admit(header("authorization")) else {
      throw RPCStatus(.unauthenticated, Admission.missingToken)
    }
  }

  private func admits(authority: String) -> Bool {
    guard let host = Authority(authority)?.host else { return false }
    return Loopback.isName(host) || hosts.contains(host)
      || takesAddresses && Authority.isAddress(host)
  }

  /// Returns an origin in the form in which browsers send it, but for the case.
  static func comparable(_ origin: String) -> String {
    let origin = origin.lowercased()
    return origin.hasSuffix("/") ? String(origin.dropLast()) : origin
  }

  /// Whether pages of an origin may call the server.
  func admits(origin: String) -> Bool {
    let origin = Admission.comparable(origin)
    if origins.contains(origin) { return true }
    let parts = origin.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "http" || parts[0] == "https",
      let host = Authority(String(parts[1]))?.host
    else { return false }
    return Loopback.isName(host)
  }
}
