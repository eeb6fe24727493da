import Foundation

/// The failure of a call, before callers get it as an `NSError`.
package struct AuthFailure: Error {
  package let code: AuthErrorCode
  /// The description; `nil` for that of the code.
  var detail: String?
  /// The address that the failure is about.
  var email: String?
  /// The credential by which the other account can be signed in to.
  var credential: AuthCredential?
  var cause: (any Error)?

  package init(_ code: AuthErrorCode, _ detail: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.detail = detail
    self.cause = cause
  }

  /// Creates the failure of a refused request.
  ///
  /// - Parameter message: the message of the accounts: a name, perhaps with a text after a colon.
  init(serverMessage message: String) {
    let parts = message.split(separator: " : ", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    self.init(AuthErrorCode(serverName: name))
    if parts.count == 2 {
      detail = String(parts[1])
    } else if code == .internalError {
      detail = "The accounts answered with an error: \(message)"
    }
  }

  /// The error as code for Firebase expects it.
  var error: NSError {
    var userInfo: [String: Any] = [
      NSLocalizedDescriptionKey: detail ?? code.text, AuthErrors.userInfoNameKey: code.name,
    ]
    if let email { userInfo[AuthErrors.userInfoEmailKey] = email }
    if let credential { userInfo[AuthErrors.userInfoUpdatedCredentialKey] = credential }
    if let cause { userInfo[NSUnderlyingErrorKey] = cause }
    return NSError(domain: AuthErrorDomain, code: code.rawValue, userInfo: userInfo)
  }
}
