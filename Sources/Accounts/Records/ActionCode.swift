import HearthDocumentModel

/// A code that a user gets by e-mail, as it is stored: under the digest of the code, which itself
/// is nowhere.
package struct ActionCode: Sendable, Equatable {
  /// The purpose of a code, as requests name it.
  package enum Kind: String, Sendable, CaseIterable {
    case passwordReset = "PASSWORD_RESET"
    case verifyEmail = "VERIFY_EMAIL"
    case emailSignIn = "EMAIL_SIGNIN"
    case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    case recoverEmail = "RECOVER_EMAIL"

    /// Time for which a code is good, in milliseconds.
    var lifetime: Int64 {
      let hour: Int64 = 3_600_000
      return switch self {
      case .passwordReset: hour
      case .emailSignIn: 6 * hour
      case .verifyEmail, .verifyAndChangeEmail, .recoverEmail: 72 * hour
      }
    }

    /// The name of the action in a link.
    package var mode: String {
      switch self {
      case .passwordReset: "resetPassword"
      case .verifyEmail: "verifyEmail"
      case .emailSignIn: "signIn"
      case .verifyAndChangeEmail: "verifyAndChangeEmail"
      case .recoverEmail: "recoverEmail"
      }
    }
  }

  package var kind: Kind
  /// The address that the code is for: for a recovery, the one that comes back.
  package var email: String
  /// The address that a change is to; `nil` for other kinds.
  package var newEmail: String?
  /// The account that the code is for; `nil` for a sign-in, which may make one.
  var accountID: String?
  /// Milliseconds since 1970.
  var expires: Int64

  var fields: MapValue {
    var fields: MapValue = [
      "kind": .string(kind.rawValue), "email": .string(email), "expiresAt": .integer(expires),
    ]
    fields["newEmail"] = newEmail.map(Value.string)
    fields["account"] = accountID.map(Value.string)
    return fields
  }
}

extension ActionCode {
  /// - Returns: `nil` for fields that no code has.
  init?(fields: MapValue) {
    guard let kind = fields.text("kind").flatMap(Kind.init), let email = fields.text("email"),
      let expires = fields.number("expiresAt")
    else { return nil }
    self.init(
      kind: kind, email: email, newEmail: fields.text("newEmail"),
      accountID: fields.text("account"), expires: expires)
  }
}
