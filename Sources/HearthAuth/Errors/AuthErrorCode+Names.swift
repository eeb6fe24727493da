extension AuthErrorCode {
  /// Creates the code of a refusal, whose name the accounts give (A§5).
  init(serverName name: String) {
    self = AuthErrorCode.named[name] ?? .internalError
  }

  private static let named: [String: AuthErrorCode] = [
    "EMAIL_EXISTS": .emailAlreadyInUse, "INVALID_EMAIL": .invalidEmail,
    "INVALID_IDENTIFIER": .invalidEmail, "MISSING_EMAIL": .missingEmail,
    "INVALID_PASSWORD": .wrongPassword, "MISSING_PASSWORD": .wrongPassword,
    "EMAIL_NOT_FOUND": .userNotFound, "USER_NOT_FOUND": .userNotFound,
    "INVALID_LOGIN_CREDENTIALS": .invalidCredential, "USER_DISABLED": .userDisabled,
    "OPERATION_NOT_ALLOWED": .operationNotAllowed,
    "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
    "ADMIN_ONLY_OPERATION": .adminRestrictedOperation, "WEAK_PASSWORD": .weakPassword,
    "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
    "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests, "INVALID_ID_TOKEN": .invalidUserToken,
    "TOKEN_EXPIRED": .userTokenExpired,
    // No account has such a token any more, as after a removal of all accounts.
    "INVALID_REFRESH_TOKEN": .invalidUserToken,
    "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
    "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
    "PROVIDER_ALREADY_LINKED": .providerAlreadyLinked,
    "INVALID_IDP_RESPONSE": .invalidCredential, "INVALID_PENDING_TOKEN": .invalidCredential,
    "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce,
    "INVALID_PROVIDER_ID": .invalidProviderID, "INVALID_CUSTOM_TOKEN": .invalidCustomToken,
    "CREDENTIAL_MISMATCH": .customTokenMismatch, "EXPIRED_OOB_CODE": .expiredActionCode,
    "INVALID_OOB_CODE": .invalidActionCode, "MISSING_CONTINUE_URI": .missingContinueURI,
    "INVALID_CONTINUE_URI": .invalidContinueURI, "UNAUTHORIZED_DOMAIN": .unauthorizedDomain,
    "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification,
    "UNSUPPORTED_TENANT_OPERATION": .unsupportedTenantOperation,
    "API key not valid. Please pass a valid API key.": .invalidAPIKey,
    "The request is missing a valid API key.": .invalidAPIKey,
  ]

  /// Whether the error of a call with a user's token means that the user is no longer signed in.
  var endsSession: Bool {
    switch self {
    case .userNotFound, .userDisabled, .invalidUserToken, .userTokenExpired: true
    default: false
    }
  }

  /// The name in an error's `userInfo`, such as `ERROR_WEAK_PASSWORD`.
  var name: String {
    var name = "ERROR"
    var wasSmall = true
    for character in "\(self)" {
      if character.isUppercase, wasSmall { name += "_" }
      if name == "ERROR" { name += "_" }
      name += character.uppercased()
      wasSmall = character.isLowercase
    }
    return name
  }
}
