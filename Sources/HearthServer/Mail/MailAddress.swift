/// An address that can stand in a header as it is.
struct MailAddress {
  let text: String

  /// The part behind the `@`.
  var domain: Substring { text.split(separator: "@").last ?? "" }

  /// - Returns: `nil` for a text that would mean more than one address in a header, and for one
  ///   that a program could take for an option.
  init?(_ text: String) {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }), text.first != "-",
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !text.contains(where: { "()<>[],;:\\\"".contains($0) })
    else { return nil }
    self.text = text
  }
}
