import HearthTokens

extension AccountCall {
  /// Makes a code and writes its record.
  ///
  /// - Parameters:
  ///   - email: the address that the code is for.
  ///   - account: the account that the code is for; `nil` for a sign-in, which may make one, and
  ///     for a code that is good for nothing.
  func makeCode(
    _ kind: ActionCode.Kind, for email: String, newEmail: String? = nil, of account: Account?,
    continueURL: String? = nil, in accounts: AccountTransaction
  ) throws(AccountError) -> SentCode {
    let record = ActionCode(
      kind: kind, email: email, newEmail: newEmail, accountID: account?.id,
      expires: now + kind.lifetime)
    let code = Secret.random()
    try accounts.write(record, of: code)
    return SentCode(
      code: code, record: record, link: link(for: code, of: kind, to: continueURL),
      project: project)
  }

  /// The page that applies codes. Beside the emulator's, it isn't one of the server's: the header
  /// by which a client names the server could lead users elsewhere.
  private var actionAddress: String {
    guard mode.outbox == nil else { return "\(origin)/emulator/action" }
    return mode.actionAddress ?? "https://\(project).firebaseapp.com/__/auth/action"
  }

  /// Returns the address that applies a code.
  ///
  /// - Parameter continueURL: the address that follows; `nil` for none.
  private func link(for code: String, of kind: ActionCode.Kind, to continueURL: String?) -> String {
    let address = actionAddress
    var link = "\(address)\(address.contains("?") ? "&" : "?")mode=\(kind.mode)&lang=en"
    link += "&oobCode=\(code)"
    link += "&apiKey=\((parameters["key"] ?? "fake-api-key").percentEncoded)"
    if let continueURL { link += "&continueUrl=\(continueURL.percentEncoded)" }
    return link
  }
}

extension AccountTransaction {
  /// Returns the record of a code that is good.
  ///
  /// - Throws: `INVALID_OOB_CODE`, also for one that was used; `EXPIRED_OOB_CODE`.
  func goodCode(_ code: String, now: Int64) throws(AccountError) -> ActionCode {
    guard let record = try self.code(code) else { throw AccountError("INVALID_OOB_CODE") }
    guard record.expires > now else { throw AccountError("EXPIRED_OOB_CODE") }
    return record
  }

  /// Returns the account of a code.
  ///
  /// - Throws: `INVALID_OOB_CODE` if it is gone, or has another address than `email`.
  func account(of code: ActionCode, email: String? = nil) throws(AccountError) -> Account {
    guard let id = code.accountID, let account = try account(id),
      email == nil || account.email == email
    else { throw AccountError("INVALID_OOB_CODE") }
    return account
  }
}

extension String {
  /// The text as the value of a parameter.
  var percentEncoded: String {
    var text = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}

extension AccountCall {
  /// Makes the code by which the owner of an address undoes the change of it by a client.
  ///
  /// - Returns: `nil` if the address is the same, or no code can be sent.
  func recovery(
    of old: Account, by account: Account, in accounts: AccountTransaction
  ) throws(AccountError) -> SentCode? {
    guard let earlier = old.email, account.email != earlier, mode.delivery.isAvailable else {
      return nil
    }
    return try makeCode(.recoverEmail, for: earlier, of: account, in: accounts)
  }
}
