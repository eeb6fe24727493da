import HearthFirestoreJSON

/// The rules for passwords.
enum PasswordRules {
  private static let shortest = 6
  private static let longest = 4096

  /// The rules as clients ask for them.
  static var policy: JSONValue {
    .object([
      (
        "customStrengthOptions",
        .object([
          ("minPasswordLength", .integer(Int64(shortest))),
          ("maxPasswordLength", .integer(Int64(longest))),
        ])
      ),
      ("allowedNonAlphanumericCharacters", .array(symbols.map { .string(String($0)) })),
      ("enforcementState", .string("OFF")), ("forceUpgradeOnSignin", .boolean(false)),
      ("schemaVersion", .integer(1)),
    ])
  }

  private static let symbols = #"^$*.[]{}()?"!@#%&/\,><':;|_~"#

  /// - Throws: `WEAK_PASSWORD` for one that is too short.
  static func check(_ password: String) throws(AccountError) {
    guard password.count >= shortest else {
      throw AccountError(
        "WEAK_PASSWORD", "Password should be at least \(shortest) characters")
    }
    guard password.utf8.count <= longest else {
      throw AccountError(
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
        "Missing password requirements: [Password may contain at most \(longest) characters]")
    }
  }
}
