import HearthAccounts
import HearthTokens

/// The message that brings a code to its user, in the form of RFC 5322, but for the ends of lines,
/// which are those that programs on Unix read.
struct MailMessage {
  let recipient: String
  let text: String

  /// - Parameters:
  ///   - sender: the address that sends; `nil` to leave the header to the program that sends.
  ///   - seconds: the time since 1970.
  /// - Returns: `nil` for an address that can't be written to.
  init?(_ code: SentCode, from sender: MailAddress?, at seconds: Int64) {
    // The owner of a new address vouches for it by the code.
    guard let recipient = MailAddress(code.record.newEmail ?? code.record.email) else { return nil }
    self.recipient = recipient.text
    var headers: [(String, String)] = []
    if let sender { headers.append(("From", sender.text)) }
    headers.append(("To", recipient.text))
    headers.append(("Subject", code.record.kind.subject))
    if let date = MailDate.text(of: seconds) { headers.append(("Date", date)) }
    headers += [
      ("Message-ID", "<\(Secret.random())@\(sender?.domain ?? "localhost")>"),
      ("Auto-Submitted", "auto-generated"), ("MIME-Version", "1.0"),
      ("Content-Type", "text/plain; charset=utf-8"),
      ("Content-Transfer-Encoding", "quoted-printable"),
    ]
    text =
      headers.map { "\($0): \($1)\n" }.joined() + "\n"
      + QuotedPrintable.text(of: MailMessage.body(of: code))
  }

  private static func body(of code: SentCode) -> String {
    // The id of a project may be any text.
    let project = code.project.filter { !$0.isNewline && $0.asciiValue != 0 }
    let address = code.record.newEmail ?? code.record.email
    return """
      Hello,

      \(code.record.kind.request(of: address, in: project))

      \(code.link)

      If you didn't ask for this, \(code.record.kind.otherwise)

      """
  }
}

extension ActionCode.Kind {
  fileprivate var subject: String {
    switch self {
    case .passwordReset: "Reset your password"
    case .verifyEmail: "Verify your e-mail address"
    case .emailSignIn: "Sign in"
    case .verifyAndChangeEmail: "Verify your new e-mail address"
    case .recoverEmail: "Your e-mail address was changed"
    }
  }

  fileprivate func request(of address: String, in project: String) -> String {
    switch self {
    case .passwordReset:
      "Follow this link to reset the password of your account \(address) in \(project):"
    case .verifyEmail:
      "Follow this link to verify the e-mail address \(address) of your account in \(project):"
    case .emailSignIn: "Follow this link to sign in to \(project) as \(address):"
    case .verifyAndChangeEmail:
      "Follow this link to make \(address) the e-mail address of your account in \(project):"
    case .recoverEmail:
      "The e-mail address of your account in \(project) was changed, and is \(address) no longer. "
        + "Follow this link to undo the change:"
    }
  }

  fileprivate var otherwise: String {
    switch self {
    case .recoverEmail: "follow the link, and change your password."
    default: "ignore this message."
    }
  }
}
