import ArgumentParser
import HearthServer

/// The options of sign-in.
struct SignInOptions: ParsableArguments {
  enum Tokens: String, CaseIterable, ExpressibleByArgument {
    case unsigned, signed
  }

  @Option(
    help: ArgumentHelp(
      "The tokens of users: those of emulators, which anyone can make, or those that the server "
        + "signs and checks. The latter need --rules and --auth-keys.",
      valueName: "unsigned|signed"))
  var authTokens = Tokens.unsigned

  @Option(
    help: ArgumentHelp(
      "A file of private RSA keys in PEM form, of mode 0600, which is made if it is missing. The "
        + "first one signs, and tokens by any of them are good.", valueName: "file"),
    completion: .file())
  var authKeys: String?

  @Option(
    help: ArgumentHelp(
      "A file with the configuration of sign-in, in JSON: providers, password policy, domains that "
        + "links may lead to, what answers tell of addresses.", valueName: "file"),
    completion: .file())
  var authConfig: String?

  @Flag(
    help: "Look up the user of each call on documents, so that a revocation ends tokens at once.")
  var checkRevoked = false

  @Option(
    help: ArgumentHelp(
      "A command of the shell that sends the mail with codes: it gets each message on standard "
        + "input, such as \"sendmail -t\". Without it, what needs a code is refused.",
      valueName: "command"))
  var mailCommand: String?

  @Option(
    help: ArgumentHelp("The address that sends the mail with codes.", valueName: "address"))
  var mailFrom: String?

  @Option(
    help: ArgumentHelp(
      "The page that links with codes lead to, by default "
        + "https://PROJECT.firebaseapp.com/__/auth/action.", valueName: "address"))
  var actionPage: String?

  /// - Parameter rules: the file of rules; `nil` for none.
  /// - Throws: an error for options that don't go together.
  func validate(rules: String?) throws {
    guard mailFrom == nil || mailCommand != nil else {
      throw ValidationError("--mail-from needs --mail-command.")
    }
    switch authTokens {
    case .unsigned:
      guard authKeys == nil, !checkRevoked else {
        throw ValidationError("--auth-keys and --check-revoked need --auth-tokens signed.")
      }
      guard mailCommand == nil, actionPage == nil else {
        throw ValidationError(
          "--mail-command and --action-page need --auth-tokens signed: codes of emulators are at "
            + "/emulator/v1/projects/PROJECT/oobCodes.")
      }
    case .signed:
      guard mailCommand?.isEmpty != true else {
        throw ValidationError("--mail-command takes a command of the shell.")
      }
      guard rules != nil else {
        throw ValidationError(
          "--auth-tokens signed needs --rules: without rules, every caller could read and write "
            + "everything.")
      }
      guard authKeys != nil else {
        throw ValidationError(
          "--auth-tokens signed needs --auth-keys, the file of the keys that sign.")
      }
    }
  }

  func configure(_ server: inout HearthServer) {
    server.signInFile = authConfig
    guard authTokens == .signed, let authKeys else { return }
    var signing = TokenSigning(keyFile: authKeys)
    signing.checksRevocation = checkRevoked
    signing.actionPage = actionPage
    signing.mail = mailCommand.map(MailCommand.init)
    signing.mail?.sender = mailFrom
    server.signing = signing
  }
}
