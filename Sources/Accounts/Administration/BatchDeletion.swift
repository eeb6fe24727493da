import HearthFirestoreJSON

/// The deletion of several accounts (A§10).
struct BatchDeletion {
  private static let limit = 1000

  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    let ids = try call.fields.texts("localIds")
    guard (1...BatchDeletion.limit).contains(ids.count) else {
      throw AccountError("LOCAL_ID_LIST_EXCEEDS_LIMIT")
    }
    let deletesEnabled = try call.fields.flag("force") ?? false
    let errors = try await call.change { accounts throws(AccountError) in
      var errors: [JSONValue] = []
      for (index, id) in ids.enumerated() {
        guard let account = try accounts.account(id) else { continue }
        guard deletesEnabled || account.isDisabled else {
          errors.append(BatchDeletion.error(index, id))
          continue
        }
        accounts.delete(account)
      }
      return errors
    }
    return AccountAnswer(200, .object(errors.isEmpty ? [] : [("errors", .array(errors))]))
  }

  private static func error(_ index: Int, _ id: String) -> JSONValue {
    let message = "NOT_DISABLED : Disable the account before batch deletion."
    return .object([
      ("index", .integer(Int64(index))), ("localId", .string(id)), ("message", .string(message)),
    ])
  }
}
