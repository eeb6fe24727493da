import HearthFirestoreJSON
import HearthTokens

/// The question for the ways in which an address can sign in (A§3.7).
struct SignInMethods {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let text = try call.fields.text("identifier") else {
      throw AccountError("MISSING_IDENTIFIER")
    }
    guard try call.fields.text("continueUri") != nil else {
      throw AccountError("MISSING_CONTINUE_URI")
    }
    let email: String
    do {
      email = try ContactRules.email(text)
    } catch {
      throw AccountError("INVALID_IDENTIFIER")
    }
    let (account, settings) = try await call.read { accounts throws(AccountError) in
      (try accounts.account(email: email), try accounts.settings())
    }
    var members: [(String, JSONValue)] = []
    if !settings.protectsEmails {
      members.append(("registered", .boolean(account != nil)))
      if let account {
        let providers = account.providerIDs.filter { $0 != "phone" }
        members += [
          ("allProviders", .array(providers.map(JSONValue.string))),
          ("signinMethods", .array(account.signInMethods.map(JSONValue.string))),
        ]
      }
    }
    members.append("sessionId", try call.fields.text("sessionId") ?? Secret.random())
    return AccountAnswer(kind: "CreateAuthUriResponse", members)
  }
}
