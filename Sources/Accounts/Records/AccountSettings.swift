import HearthDocumentModel

/// The switches of a project's sign-in.
package struct AccountSettings: Sendable, Equatable {
  /// Whether several accounts may have one address, each at another provider.
  package var allowsDuplicateEmails = false
  /// Whether answers keep silent about the addresses that have an account.
  package var protectsEmails = false
  package var allowsAnonymous = true
  package var allowsEmail = true
  /// Whether a sign-in by e-mail needs a password: then links are refused.
  package var requiresPassword = false
  /// Domains that links may lead back to, beside those of this machine.
  package var authorizedDomains: [String] = []

  package init() {}

  var fields: MapValue {
    [
      "allowDuplicateEmails": .boolean(allowsDuplicateEmails),
      "protectEmails": .boolean(protectsEmails), "anonymous": .boolean(allowsAnonymous),
      "email": .boolean(allowsEmail), "passwordRequired": .boolean(requiresPassword),
      "authorizedDomains": .array(authorizedDomains.map(Value.string)),
    ]
  }

  init(fields: MapValue) {
    allowsDuplicateEmails = fields["allowDuplicateEmails"] == .boolean(true)
    protectsEmails = fields["protectEmails"] == .boolean(true)
    allowsAnonymous = fields["anonymous"] != .boolean(false)
    allowsEmail = fields["email"] != .boolean(false)
    requiresPassword = fields["passwordRequired"] == .boolean(true)
    if case .array(let domains)? = fields["authorizedDomains"] {
      authorizedDomains = domains.compactMap {
        if case .string(let text) = $0 { text } else { nil }
      }
    }
  }
}
