import HearthFirestoreJSON

/// The switches of a project as administrators read and change them.
struct ProjectConfiguration {
  let call: AccountCall
  /// Whether the address is the emulator's own, which shows two of the switches.
  let isShort: Bool

  func answer() async throws(AccountError) -> AccountAnswer {
    let settings = try await call.read { accounts throws(AccountError) in try accounts.settings() }
    return AccountAnswer(200, json(of: settings))
  }

  /// Changes the switches that the request has.
  func changeAnswer() async throws(AccountError) -> AccountAnswer {
    let settings = try await call.change { [call] accounts throws(AccountError) in
      var settings = try accounts.settings()
      try ProjectConfiguration.apply(call.fields, to: &settings)
      accounts.write(settings)
      return settings
    }
    return AccountAnswer(200, json(of: settings))
  }

  private static func apply(
    _ fields: RequestFields, to settings: inout AccountSettings
  ) throws(AccountError) {
    if let signIn = try fields.message("signIn") {
      if let flag = try signIn.flag("allowDuplicateEmails") {
        settings.allowsDuplicateEmails = flag
      }
      if let flag = try signIn.message("anonymous")?.flag("enabled") {
        settings.allowsAnonymous = flag
      }
      if let email = try signIn.message("email") {
        if let flag = try email.flag("enabled") { settings.allowsEmail = flag }
        if let flag = try email.flag("passwordRequired") { settings.requiresPassword = flag }
      }
    }
    if let flag = try fields.message("emailPrivacyConfig")?.flag("enableImprovedEmailPrivacy") {
      settings.protectsEmails = flag
    }
    if fields.has("authorizedDomains") {
      settings.authorizedDomains = try fields.texts("authorizedDomains")
    }
  }

  private func json(of settings: AccountSettings) -> JSONValue {
    let duplicates = ("allowDuplicateEmails", JSONValue.boolean(settings.allowsDuplicateEmails))
    let privacy = JSONValue.object([
      ("enableImprovedEmailPrivacy", .boolean(settings.protectsEmails))
    ])
    guard !isShort else {
      return .object([("signIn", .object([duplicates])), ("emailPrivacyConfig", privacy)])
    }
    let email = JSONValue.object([
      ("enabled", .boolean(settings.allowsEmail)),
      ("passwordRequired", .boolean(settings.requiresPassword)),
    ])
    let anonymous = JSONValue.object([("enabled", .boolean(settings.allowsAnonymous))])
    return .object([
      ("name", .string("projects/\(call.project)/config")),
      ("signIn", .object([("email", email), ("anonymous", anonymous), duplicates])),
      ("emailPrivacyConfig", privacy),
      ("authorizedDomains", .array(settings.authorizedDomains.map(JSONValue.string))),
    ])
  }
}
