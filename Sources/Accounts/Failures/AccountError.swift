package import HearthDocumentModel
package import HearthFirestoreJSON

/// A refusal of a request, by one of production's names.
package struct AccountError: Error, Sendable, Equatable {
  /// The status of HTTP.
  package let status: Int
  /// The name, such as `WEAK_PASSWORD`, perhaps with a text after ` : `.
  package let message: String
  /// The name of gRPC's code, which the answers of some addresses show; `nil` where the code
  /// follows from the status.
  private let codeName: String?

  /// Makes a refusal of the usual kind, with status 400.
  ///
  /// - Parameter detail: the text after the name; `nil` for none.
  package init(_ name: String, _ detail: String? = nil) {
    self.init(status: 400, detail.map { "\(name) : \($0)" } ?? name)
  }

  package init(status: Int, _ message: String, codeName: String? = nil) {
    self.status = status
    self.message = message
    self.codeName = codeName
  }

  /// Makes the refusal of a request that the database can't serve.
  package init(_ error: DatabaseError) {
    let isBusy = error.code == .aborted || error.code == .resourceExhausted
    self.init(
      status: isBusy || error.code == .unavailable ? 503 : 500,
      "The accounts can't be read or changed: \(error.message)",
      codeName: isBusy ? "UNAVAILABLE" : nil)
  }

  /// The name alone, which SDKs make their codes of.
  package var name: String {
    message.firstRange(of: " : ").map { String(message[..<$0.lowerBound]) } ?? message
  }

  /// Returns the body of the answer.
  ///
  /// - Parameter namesCode: whether the address is one whose errors have a `status`; those of other
  ///   addresses have `errors`, but for refusals of the caller.
  package func json(namingCode namesCode: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("code", .integer(Int64(status))), ("message", .string(message)),
    ]
    if namesCode || status != 400 {
      members.append(("status", .string(codeName ?? AccountError.codeName(of: status))))
    } else {
      let item = JSONValue.object([
        ("message", .string(message)), ("domain", .string("global")),
        ("reason", .string("invalid")),
      ])
      members.append(("errors", .array([item])))
    }
    return .object([("error", .object(members))])
  }

  private static func codeName(of status: Int) -> String {
    switch status {
    case 400: "INVALID_ARGUMENT"
    case 401: "UNAUTHENTICATED"
    case 403: "PERMISSION_DENIED"
    case 404: "NOT_FOUND"
    case 501: "NOT_IMPLEMENTED"
    case 503: "UNAVAILABLE"
    default: "INTERNAL"
    }
  }
}

extension AccountError {
  static let missingKey = AccountError(status: 403, "The request is missing a valid API key.")
  static let unauthenticated = AccountError(
    status: 401,
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie "
      + "or other valid authentication credential.")
  static let notAdministrator = AccountError("INSUFFICIENT_PERMISSION")
  static let userNotFound = AccountError("USER_NOT_FOUND")
  static let userDisabled = AccountError("USER_DISABLED")
  static let emailExists = AccountError("EMAIL_EXISTS")
  static let invalidEmail = AccountError("INVALID_EMAIL")
  static let missingEmail = AccountError("MISSING_EMAIL")
  static let tokenExpired = AccountError("TOKEN_EXPIRED")
  static let invalidCredentials = AccountError("INVALID_LOGIN_CREDENTIALS")
  static let operationNotAllowed = AccountError("OPERATION_NOT_ALLOWED")
  static let unverifiedEmail = AccountError(
    "OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")
  static let unsupportedTenant = AccountError("UNSUPPORTED_TENANT_OPERATION")
  static let unsupportedUpdate = AccountError(
    "INVALID_REQ_TYPE", "Unsupported request parameters.")

  /// Makes the refusal of a call that this server doesn't answer.
  static func notImplemented(_ what: String) -> AccountError {
    AccountError(status: 501, "\(what) is not implemented in this server.")
  }
}
