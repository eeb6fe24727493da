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
  /// The domains that links may lead back to, and those below them; `nil` for any.
  package var authorizedDomains: [String]?

  package init() {}

  /// The switches of a server for users whom no one knows: nothing tells which addresses have an
  /// account, and no link leads to a page of a stranger.
  package static let forStrangers: AccountSettings = {
    var settings = AccountSettings()
    settings.protectsEmails = true
    settings.authorizedDomains = []
    return settings
  }()
}

/// The sources of a project's switches, beside the changes that administrators have made.
package struct SettingSources: Sendable {
  /// The switches that no one has set.
  package var usual = AccountSettings()
  /// The switches that the owner of the server has set, which administrators can't change.
  package var fixed = SettingChanges()

  package init() {}

  /// Returns the switches that hold.
  ///
  /// - Parameter changes: those that administrators have made.
  package func settings(with changes: SettingChanges) -> AccountSettings {
    fixed.applied(to: changes.applied(to: usual))
  }
}
