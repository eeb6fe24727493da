/// The rules for e-mail addresses and phone numbers.
enum ContactRules {
  private static let longestEmail = 256

  /// Returns an address in lower case.
  ///
  /// - Throws: `INVALID_EMAIL` for a text that is no address: other characters than printable ones
  ///   of ASCII would let two addresses look alike.
  static func email(_ text: String) throws(AccountError) -> String {
    let bytes = text.utf8
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard bytes.count <= longestEmail, bytes.allSatisfy({ (0x21...0x7E).contains($0) }),
      !bytes.contains(where: { "<>()[],;:\\\"".utf8.contains($0) }), parts.count == 2,
      !parts[0].isEmpty, isDomain(parts[1])
    else { throw .invalidEmail }
    return text.lowercased()
  }

  /// Whether a text is like a domain: labels between dots, none of them empty.
  private static func isDomain(_ text: Substring) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.first != "-" && label.last != "-"
        && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }
  }

  /// Checks a number of the form `+15551234567`.
  ///
  /// - Throws: `INVALID_PHONE_NUMBER`.
  static func phoneNumber(_ text: String) throws(AccountError) -> String {
    guard text.first == "+", text.dropFirst().contains(where: \.isNumber),
      text.utf8.count <= 64,
      text.dropFirst().allSatisfy({
        $0.isASCII && ($0.isLetter || $0.isNumber || " -().".contains($0))
      })
    else { throw AccountError("INVALID_PHONE_NUMBER", "Invalid format.") }
    return text
  }
}
