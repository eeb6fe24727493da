import HearthFirestoreJSON

/// The search for accounts (A§10).
struct AccountQuery {
  private static let limit: Int64 = 500

  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    let expressions = try call.fields.messages("expression")
    let showsAccounts = try call.fields.flag("returnUserInfo") ?? true
    let limit = try call.fields.integer("limit") ?? AccountQuery.limit
    let offset = try call.fields.integer("offset") ?? 0
    guard (0...AccountQuery.limit).contains(limit), (0...1_000_000).contains(offset) else {
      throw AccountError("INVALID_QUERY_LIMIT", "At most \(AccountQuery.limit) are returned.")
    }
    guard showsAccounts else {
      let count = try await call.read { accounts throws(AccountError) in
        try accounts.accountCount()
      }
      return AccountAnswer(200, .object([("recordsCount", .string("\(count)"))]))
    }
    let found =
      expressions.isEmpty
      ? try await sorted(limit: Int(limit == 0 ? AccountQuery.limit : limit), offset: Int(offset))
      : try await named(by: expressions)
    return AccountAnswer(
      200,
      .object([
        ("recordsCount", .string("\(found.count)")),
        ("userInfo", .array(found.map(AccountJSON.json))),
      ]))
  }

  private func sorted(limit: Int, offset: Int) async throws(AccountError) -> [Account] {
    let isDescending = try call.fields.text("order") == "DESC"
    let fields = [
      "USER_ID": "__name__", "NAME": "displayName", "CREATED_AT": "createdAt",
      "LAST_LOGIN_AT": "lastLoginAt", "USER_EMAIL": "email",
    ]
    guard let field = fields[try call.fields.text("sortBy") ?? "USER_ID"] else {
      throw AccountError("INVALID_SORT_FIELD")
    }
    return try await call.read { accounts throws(AccountError) in
      try accounts.accounts(by: field, descending: isDescending, offset: offset, limit: limit)
    }
  }

  /// Returns the accounts that any of the expressions names.
  private func named(by expressions: [RequestFields]) async throws(AccountError) -> [Account] {
    try await call.read { accounts throws(AccountError) in
      var found: [Account] = []
      for expression in expressions {
        var account: Account?
        if let id = try expression.text("userId") {
          account = try accounts.account(id)
        } else if let email = try expression.text("email") {
          account = try accounts.account(email: email.lowercased())
        } else if let number = try expression.text("phoneNumber") {
          account = try accounts.account(phoneNumber: number)
        }
        if let account, !found.contains(where: { $0.id == account.id }) { found.append(account) }
      }
      return found
    }
  }
}
