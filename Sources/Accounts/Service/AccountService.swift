import FoundationEssentials
package import Hearth
import HearthDocumentModel
import HearthFirestoreJSON

/// The sign-in of a server: it answers the requests of applications and administrators.
package final class AccountService: Sendable {
  private let project: String
  private let services: AccountServices

  /// Takes over a database, which it gives its indexes.
  ///
  /// - Parameters:
  ///   - database: a database that holds nothing else.
  ///   - project: the project of the calls that name none, but have a key.
  ///   - now: the time, in milliseconds since 1970.
  /// - Throws: the errors of the database.
  package init(
    _ database: Database, project: String, mode: AccountMode = .unsigned(),
    now: @escaping @Sendable () -> Int64 = AccountService.presentTime
  ) async throws(DatabaseError) {
    self.project = project
    services = AccountServices(
      store: AccountStore(database, settings: mode.settings), mode: mode, now: now)
    try await services.store.prepare()
  }

  /// Returns the milliseconds since 1970.
  @Sendable package static func presentTime() -> Int64 {
    Int64(Date().timeIntervalSince1970 * 1000)
  }

  /// Whether a request has an address of sign-in, perhaps one without a meaning.
  package static func answers(_ request: AccountRequest) -> Bool {
    let path = request.target.prefix { $0 != "?" }
    return AccountRoute.isOfSignIn(path) || AccountRoute(request.method, path: path) != nil
  }

  /// Refuses an ID token of a user who is gone or disabled, and one of before a revocation.
  ///
  /// - Parameters:
  ///   - authTime: the second of the sign-in.
  ///   - issuedAt: that of the token.
  /// - Throws: `USER_NOT_FOUND`, `USER_DISABLED`, `TOKEN_EXPIRED`; the errors of the database.
  package func check(
    _ accountID: String, ofProject project: String, authTime: Int64, issuedAt: Int64
  ) throws(AccountError) {
    let token = CallerToken(
      accountID: accountID, provider: "", authTime: authTime, issuedAt: issuedAt, claims: [])
    try services.store.readAtOnce(project) { accounts throws(AccountError) in
      _ = try accounts.account(of: token)
    }
  }

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address that none of sign-in's calls has.
  package func answer(_ request: AccountRequest) async -> AccountAnswer? {
    let parts = request.target.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first else { return nil }
    guard let route = AccountRoute(request.method, path: path), isServed(route.method) else {
      return AccountRoute.isOfSignIn(path)
        ? refusal(AccountError(status: 404, "Not Found"), namingCode: true) : nil
    }
    do throws(AccountError) {
      guard let parameters = FormFields(parts.count > 1 ? String(parts[1]) : "") else {
        throw AccountError(status: 400, "The address has a broken escape.")
      }
      let call = try call(request, route, parameters)
      guard let limits = services.mode.limits, !call.isAdministrator else {
        return try await answer(call, route.method)
      }
      return try await LimitedCall(call: call, limits: limits).answer(route.method) {
        () async throws(AccountError) in
        try await answer(call, route.method)
      }
    } catch {
      return refusal(error, namingCode: route.namesCode)
    }
  }

  private func isServed(_ method: AccountMethod) -> Bool {
    if method.isOfReaders { return services.mode.keys != nil }
    return !method.isOfEmulator || services.mode.outbox != nil
  }

  private func refusal(_ error: AccountError, namingCode: Bool) -> AccountAnswer {
    AccountAnswer(error.status, error.json(namingCode: namingCode))
  }

  /// Finds out the caller and the project of a request.
  private func call(
    _ request: AccountRequest, _ route: AccountRoute, _ parameters: FormFields
  ) throws(AccountError) -> AccountCall {
    let standing = services.mode.standing(request.authorization)
    let isAdministrator = standing == .administrator
    if !route.method.isOfEmulator, !route.method.isOfReaders {
      guard standing != .unknown else { throw .unauthenticated }
      let needsAdministrator = route.project != nil || route.method.isAdministrative
      guard isAdministrator || !needsAdministrator else { throw .unauthenticated }
      guard isAdministrator || parameters["key"] != nil else { throw .missingKey }
    }
    if case .tenant = route.method { throw .unsupportedTenant }
    let fields = try request.fields()
    guard try fields.text("tenantId") == nil else { throw .unsupportedTenant }
    let target = try fields.text("targetProjectId")
    guard target == nil || isAdministrator else { throw .notAdministrator }
    let project = route.project ?? target ?? project
    guard (1...200).contains(project.utf8.count) else { throw AccountError("INVALID_PROJECT_ID") }
    return AccountCall(
      services: services, project: project, fields: fields, parameters: parameters,
      isAdministrator: isAdministrator, origin: request.origin,
      clientAddress: request.clientAddress, now: services.now())
  }

  private func answer(
    _ call: AccountCall, _ method: AccountMethod
  ) async throws(AccountError) -> AccountAnswer {
    switch method {
    case .signUp: try await SignUp(call: call).answer()
    case .signInWithPassword: try await PasswordSignIn(call: call).answer()
    case .signInWithIdp: try await ProviderSignIn(call: call).answer()
    case .signInWithCustomToken: try await CustomTokenSignIn(call: call).answer()
    case .signInWithEmailLink: try await EmailLinkSignIn(call: call).answer()
    case .lookup: try await AccountLookup(call: call).answer()
    case .update: try await AccountUpdate(call: call).answer()
    case .delete: try await AccountDeletion(call: call).answer()
    case .createAuthUri: try await SignInMethods(call: call).answer()
    case .sendOobCode: try await CodeSending(call: call).answer()
    case .resetPassword: try await PasswordReset(call: call).answer()
    case .token: try await TokenRefresh(call: call).answer()
    case .projectConfig, .recaptchaParams, .passwordPolicy, .recaptchaConfig, .revokeToken:
      try await ClientConfiguration(call: call).answer(method)
    case .createAccount: try await AccountCreation(call: call).answer()
    case .batchGet: try await AccountListing(call: call).answer()
    case .batchCreate: try await AccountImport(call: call).answer()
    case .batchDelete: try await BatchDeletion(call: call).answer()
    case .query: try await AccountQuery(call: call).answer()
    case .createSessionCookie: try await SessionCookie(call: call).answer()
    case .getConfig: try await ProjectConfiguration(call: call, isShort: false).answer()
    case .patchConfig: try await ProjectConfiguration(call: call, isShort: false).changeAnswer()
    case .clearAccounts, .emulatorConfig, .patchEmulatorConfig, .oobCodes, .verificationCodes,
      .action:
      try await EmulatorCalls(call: call).answer(method)
    case .keySet, .discovery: try TokenReading(call: call).answer(method)
    case .refused: throw .operationNotAllowed
    case .tenant: throw .unsupportedTenant
    case .missing(let name): throw .notImplemented(name)
    }
  }
}
