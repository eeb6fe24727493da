import HearthFirestoreJSON

/// The import of accounts, with the hashes of their passwords (A§10).
struct AccountImport {
  private static let limit = 1000

  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    let users = try call.fields.messages("users")
    guard !users.isEmpty else { throw AccountError("MISSING_USER_ACCOUNT") }
    guard users.count <= AccountImport.limit else {
      throw AccountError("MAXIMUM_USER_COUNT_EXCEEDED")
    }
    let replaces = try call.fields.flag("allowOverwrite") ?? true
    let hashes = try ImportedHashes(call.fields, users)
    var errors: [JSONValue] = []
    for (index, user) in users.enumerated() {
      do throws(AccountError) {
        let imported = ImportedAccount(call: call, fields: user)
        let account = try imported.account(hash: try hashes.hash(of: user))
        try await call.change { accounts throws(AccountError) in
          let old = try accounts.account(account.id)
          guard old == nil || replaces else { throw AccountImport.taken }
          try accounts.put(account, replacing: old)
        }
      } catch {
        guard error.status == 400 else { throw error }
        errors.append(AccountImport.error(index, error.importMessage))
      }
    }
    let members = errors.isEmpty ? [] : [("error", JSONValue.array(errors))]
    return AccountAnswer(kind: "UploadAccountResponse", members)
  }

  private static let taken = AccountError(
    "localId belongs to an existing account - can not overwrite.")

  private static func error(_ index: Int, _ message: String) -> JSONValue {
    .object([("index", .integer(Int64(index))), ("message", .string(message))])
  }
}

extension AccountError {
  /// The words that an import has for the refusal.
  fileprivate var importMessage: String {
    switch name {
    case "INVALID_EMAIL": "email is invalid"
    case "EMAIL_EXISTS": "email exists in other account in database"
    case "INVALID_PHONE_NUMBER": "phone number format is invalid"
    case "PHONE_NUMBER_EXISTS": "phone number exists in other account in database"
    case "FEDERATED_USER_ID_ALREADY_LINKED": "raw id exists in other account in database"
    default: message
    }
  }
}
