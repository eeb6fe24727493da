import HearthFirestoreJSON

/// The answers about a project that clients ask for before they sign in (A§3.7).
struct ClientConfiguration {
  let call: AccountCall

  func answer(_ method: AccountMethod) async throws(AccountError) -> AccountAnswer {
    switch method {
    case .projectConfig: try await projectAnswer()
    case .recaptchaParams:
      AccountAnswer(
        kind: "GetRecaptchaParamResponse",
        [
          (
            "recaptchaStoken",
            .string("This-is-a-fake-token__Dont-send-this-to-the-Recaptcha-service")
          ),
          ("recaptchaSiteKey", .string("Fake-key__Do-not-send-this-to-Recaptcha_")),
        ])
    case .recaptchaConfig:
      AccountAnswer(
        200,
        .object([
          (
            "recaptchaEnforcementState",
            .array([
              .object([
                ("provider", .string("EMAIL_PASSWORD_PROVIDER")),
                ("enforcementState", .string("OFF")),
              ])
            ])
          )
        ]))
    case .passwordPolicy: AccountAnswer(200, call.mode.passwordPolicy.json)
    // Nothing is known of Apple's grants, so that none is revoked.
    default: AccountAnswer(200, .object([]))
    }
  }

  private func projectAnswer() async throws(AccountError) -> AccountAnswer {
    let settings = try await call.read { accounts throws(AccountError) in try accounts.settings() }
    let domains = settings.authorizedDomains ?? ["localhost"]
    return AccountAnswer(
      200,
      .object([
        ("projectId", .string(call.project)),
        ("authorizedDomains", .array(domains.map(JSONValue.string))),
      ]))
  }
}
