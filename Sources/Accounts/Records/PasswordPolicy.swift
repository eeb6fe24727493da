import HearthFirestoreJSON

/// The requirements of new passwords (A§11).
package struct PasswordPolicy: Sendable, Equatable {
  /// A class of characters of which a password may need one.
  package enum CharacterClass: String, Sendable, CaseIterable {
    case lowercase = "containsLowercaseCharacter"
    case uppercase = "containsUppercaseCharacter"
    case numeric = "containsNumericCharacter"
    case nonAlphanumeric = "containsNonAlphanumericCharacter"

    func contains(_ character: Character) -> Bool {
      switch self {
      case .lowercase: ("a"..."z").contains(character)
      case .uppercase: ("A"..."Z").contains(character)
      case .numeric: ("0"..."9").contains(character)
      case .nonAlphanumeric: PasswordPolicy.symbols.contains(character)
      }
    }

    /// Production's words for a character of the class.
    fileprivate var title: String {
      switch self {
      case .lowercase: "a lower case character"
      case .uppercase: "an upper case character"
      case .numeric: "a numeric character"
      case .nonAlphanumeric: "a non-alphanumeric character"
      }
    }
  }

  /// The least number of characters that a policy can ask for.
  package static let minimumLengths: ClosedRange<Int64> = 6...30
  /// The length that no password exceeds, in bytes, and no policy in characters.
  package static let longest = 4096
  private static let symbols = #"^$*.[]{}()?"!@#%&/\,><':;|_~"#

  package var minimumLength = 6
  package var maximumLength = PasswordPolicy.longest
  /// The classes of which a password needs a character each.
  package var classes: Set<CharacterClass> = []

  package init() {}

  /// Whether more is asked for than of every password.
  private var isEnforced: Bool { self != PasswordPolicy() }

  /// - Throws: `PASSWORD_DOES_NOT_MEET_REQUIREMENTS` with all that is missing; `WEAK_PASSWORD` for
  ///   one that is too short where there is no policy.
  package func check(_ password: String) throws(AccountError) {
    guard isEnforced || password.count >= minimumLength else {
      throw AccountError(
        "WEAK_PASSWORD", "Password should be at least \(minimumLength) characters")
    }
    let missing = missingRequirements(of: password)
    guard missing.isEmpty else {
      throw AccountError(
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS",
        "Missing password requirements: [\(missing.joined(separator: ", "))]")
    }
  }

  private func missingRequirements(of password: String) -> [String] {
    var missing: [String] = []
    if password.count < minimumLength {
      missing.append("Password must contain at least \(minimumLength) characters")
    }
    if password.count > maximumLength || password.utf8.count > PasswordPolicy.longest {
      missing.append("Password may contain at most \(maximumLength) characters")
    }
    for one in CharacterClass.allCases
    where classes.contains(one) && !password.contains(where: one.contains) {
      missing.append("Password must contain \(one.title)")
    }
    return missing
  }

  /// The policy as clients ask for it.
  var json: JSONValue {
    var options: [(String, JSONValue)] = [
      ("minPasswordLength", .integer(Int64(minimumLength))),
      ("maxPasswordLength", .integer(Int64(maximumLength))),
    ]
    for one in CharacterClass.allCases where classes.contains(one) {
      options.append((one.rawValue, .boolean(true)))
    }
    return .object([
      ("customStrengthOptions", .object(options)),
      (
        "allowedNonAlphanumericCharacters",
        .array(PasswordPolicy.symbols.map { .string(String($0)) })
      ),
      ("enforcementState", .string(isEnforced ? "ENFORCE" : "OFF")),
      ("forceUpgradeOnSignin", .boolean(false)), ("schemaVersion", .integer(1)),
    ])
  }
}
