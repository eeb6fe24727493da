/// The address of the page that follows the use of a code.
struct ContinueURL: Sendable {
  let text: String
  /// The name of the page's host in lower case.
  private let host: String

  /// - Throws: `INVALID_CONTINUE_URI` for a text that is no address of a page.
  init(_ text: String) throws(AccountError) {
    let parts = text.split(separator: "://", maxSplits: 1)
    guard parts.count == 2, parts[0] == "http" || parts[0] == "https" else {
      throw ContinueURL.invalid
    }
    // Browsers take a backslash for a slash, and what is before an @ for no host.
    let authority = parts[1].prefix { !"/\\?#".contains($0) }
    guard !authority.isEmpty, !authority.contains("@") else { throw ContinueURL.invalid }
    self.text = text
    host = authority.prefix { $0 != ":" }.lowercased()
  }

  private static let invalid = AccountError(
    "INVALID_CONTINUE_URI", "An absolute address with http or https is expected.")

  /// - Throws: `UNAUTHORIZED_DOMAIN` for a page of a domain that links mustn't lead to.
  func check(by settings: AccountSettings) throws(AccountError) {
    guard let domains = settings.authorizedDomains else { return }
    let isPlain = host.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    let isAuthorized = domains.contains { domain in
      host == domain.lowercased() || host.hasSuffix(".\(domain.lowercased())")
    }
    guard isPlain, isAuthorized else {
      throw AccountError("UNAUTHORIZED_DOMAIN", "Domain not allowlisted by project")
    }
  }
}
