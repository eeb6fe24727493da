import HearthFirestoreJSON

/// The look-up of accounts: of the caller's by its token, and of any by an administrator (A§3.5).
struct AccountLookup {
  private static let limit = 1000

  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    if let token = try call.fields.text("idToken") {
      let caller = try call.callerToken(token)
      let account = try await call.read { accounts throws(AccountError) in
        try accounts.account(of: caller)
      }
      return AccountLookup.answer([account])
    }
    guard call.isAdministrator else { throw AccountError("MISSING_ID_TOKEN") }
    return AccountLookup.answer(try await namedAccounts())
  }

  private static func answer(_ accounts: [Account]) -> AccountAnswer {
    // Without accounts, SDKs ask that the member is absent.
    let users = JSONValue.array(accounts.map(AccountJSON.json))
    return AccountAnswer(kind: "GetAccountInfoResponse", accounts.isEmpty ? [] : [("users", users)])
  }

  private func namedAccounts() async throws(AccountError) -> [Account] {
    let ids = try call.fields.texts("localId")
    let (emails, numbers) = (
      try call.fields.texts("email"), try call.fields.texts("phoneNumber")
    )
    var identities: [(provider: String, id: String)] = []
    for identity in try call.fields.messages("federatedUserId") {
      guard let provider = try identity.text("providerId"), let id = try identity.text("rawId")
      else { continue }
      identities.append((provider, id))
    }
    guard ids.count + emails.count + numbers.count + identities.count <= AccountLookup.limit else {
      throw AccountError("TOO_MANY_IDENTIFIERS", "At most \(AccountLookup.limit) are looked up.")
    }
    return try await call.read { [identities] accounts throws(AccountError) in
      var found = FoundAccounts()
      for id in ids { found.add(try accounts.account(id)) }
      for email in emails { found.add(try accounts.account(email: email.lowercased())) }
      for number in numbers { found.add(try accounts.account(phoneNumber: number)) }
      for identity in identities {
        found.add(try accounts.account(providerID: identity.provider, rawID: identity.id))
      }
      return found.all
    }
  }
}

/// Accounts in the order in which they were found, each once.
private struct FoundAccounts {
  private(set) var all: [Account] = []
  private var ids: Set<String> = []

  mutating func add(_ account: Account?) {
    if let account, ids.insert(account.id).inserted { all.append(account) }
  }
}
