/// The calls of sign-in.
enum AccountMethod: Sendable, Equatable {
  // Those of clients, most of which administrators make too.
  case signUp, signInWithPassword, signInWithIdp, signInWithCustomToken, signInWithEmailLink
  case lookup, update, delete, createAuthUri, sendOobCode, resetPassword, token
  case projectConfig, recaptchaParams, passwordPolicy, recaptchaConfig, revokeToken
  // Those of administrators.
  case createAccount, batchGet, batchCreate, batchDelete, query, createSessionCookie
  case getConfig, patchConfig
  // Reading tokens, without a key.
  case keySet, discovery
  // The emulator's own.
  case clearAccounts, emulatorConfig, patchEmulatorConfig, oobCodes, verificationCodes, action
  /// A call with another factor than those that there are.
  case refused
  /// A call of a tenant.
  case tenant
  /// A call that production has, and this server doesn't.
  case missing(String)

  /// The calls on `accounts:NAME`, by their names.
  static let named: [String: AccountMethod] = [
    "signUp": .signUp, "signInWithPassword": .signInWithPassword,
    "signInWithIdp": .signInWithIdp, "signInWithCustomToken": .signInWithCustomToken,
    "signInWithEmailLink": .signInWithEmailLink, "lookup": .lookup, "update": .update,
    "delete": .delete, "createAuthUri": .createAuthUri, "sendOobCode": .sendOobCode,
    "resetPassword": .resetPassword, "sendVerificationCode": .refused,
    "signInWithPhoneNumber": .refused, "verifyIosClient": .refused,
  ]

  /// The calls of administrators on `accounts:NAME` of a project.
  static let ofProject: [String: AccountMethod] = [
    "batchCreate": .batchCreate, "batchDelete": .batchDelete, "query": .query,
    "lookup": .lookup, "update": .update, "delete": .delete, "sendOobCode": .sendOobCode,
  ]

  /// The old names of calls, which iOS uses (A§1.2).
  static let old: [String: AccountMethod] = [
    "signupNewUser": .signUp, "verifyPassword": .signInWithPassword,
    "verifyAssertion": .signInWithIdp, "verifyCustomToken": .signInWithCustomToken,
    "getAccountInfo": .lookup, "setAccountInfo": .update, "deleteAccount": .delete,
    "createAuthUri": .createAuthUri, "getOobConfirmationCode": .sendOobCode,
    "resetPassword": .resetPassword, "emailLinkSignin": .signInWithEmailLink,
    "sendVerificationCode": .refused, "verifyPhoneNumber": .refused,
  ]

  /// Whether only administrators may make the call.
  var isAdministrative: Bool {
    switch self {
    case .createAccount, .batchGet, .batchCreate, .batchDelete, .query, .createSessionCookie,
      .getConfig, .patchConfig:
      true
    default: false
    }
  }

  /// Whether the call is one of readers of tokens.
  var isOfReaders: Bool { self == .keySet || self == .discovery }

  /// Whether the call is one of the emulator's own, which needs neither a key nor credentials.
  var isOfEmulator: Bool {
    switch self {
    case .clearAccounts, .emulatorConfig, .patchEmulatorConfig, .oobCodes, .verificationCodes,
      .action:
      true
    default: false
    }
  }
}
