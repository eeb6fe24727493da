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
  ///
  /// - Throws: `OPERATION_NOT_ALLOWED` for one that the owner of the server has set otherwise.
  func changeAnswer() async throws(AccountError) -> AccountAnswer {
    let changes = try ProjectConfiguration.changes(in: call.fields)
    let sources = call.mode.settings
    let settings = try await call.change { accounts throws(AccountError) in
      var all = try accounts.settingChanges()
      all.add(changes)
      let settings = sources.settings(with: all)
      guard changes.applied(to: settings) == settings else {
        throw AccountError(
          "OPERATION_NOT_ALLOWED",
          "The server's configuration file sets a switch that the request changes.")
      }
      accounts.write(all)
      return settings
    }
    return AccountAnswer(200, json(of: settings))
  }

  private static func changes(in fields: RequestFields) throws(AccountError) -> SettingChanges {
    var changes = SettingChanges()
    let signIn = try fields.message("signIn")
    changes.allowsDuplicateEmails = try signIn?.flag("allowDuplicateEmails")
    changes.allowsAnonymous = try signIn?.message("anonymous")?.flag("enabled")
    let email = try signIn?.message("email")
    changes.allowsEmail = try email?.flag("enabled")
    changes.requiresPassword = try email?.flag("passwordRequired")
    changes.protectsEmails = try fields.message("emailPrivacyConfig")?
      .flag("enableImprovedEmailPrivacy")
    if fields.has("authorizedDomains") {
      changes.authorizedDomains = try fields.texts("authorizedDomains")
    }
    return changes
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
      ("authorizedDomains", .array((settings.authorizedDomains ?? []).map(JSONValue.string))),
    ])
  }
}
