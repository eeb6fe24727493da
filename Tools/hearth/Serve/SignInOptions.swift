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

  /// - Parameter rules: the file of rules; `nil` for none.
  /// - Throws: an error for options that don't go together.
  func validate(rules: String?) throws {
    switch authTokens {
    case .unsigned:
      guard authKeys == nil, !checkRevoked else {
        throw ValidationError("--auth-keys and --check-revoked need --auth-tokens signed.")
      }
    case .signed:
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
    server.signing = signing
  }
}
