import HearthDocumentModel

// Records that belong to secrets. Those that are over are removed by the database some time later.

extension AccountTransaction {
  /// Time between the end of a record and its removal, in which its owner is told that it is over.
  private static let removalDelay: Int64 = 24 * 3_600_000

  // MARK: Refresh tokens

  func refreshRecord(of token: String) throws(AccountError) -> RefreshRecord? {
    try fields(at: StoredPlace(.refreshTokens, secret: token)).flatMap(RefreshRecord.init)
  }

  func write(_ record: RefreshRecord, of token: String) {
    write(record.fields, at: StoredPlace(.refreshTokens, secret: token))
  }

  // MARK: Codes

  func code(_ secret: String) throws(AccountError) -> ActionCode? {
    try fields(at: StoredPlace(.codes, secret: secret)).flatMap(ActionCode.init)
  }

  /// Writes a code. It ends the earlier code of its purpose and owner.
  func write(_ code: ActionCode, of secret: String) throws(AccountError) {
    let place = StoredPlace(.codes, secret: secret)
    let latest = StoredPlace(.latestCodes, code.purpose)
    if let earlier = try fields(at: latest)?.text("digest") {
      remove(StoredPlace(.codes, earlier))
    }
    let removal = Value.removal(after: code.expires + AccountTransaction.removalDelay)
    var fields = code.fields
    fields["removal"] = removal
    write(fields, at: place)
    let digest = StoredPlace.name(ofDocumentID: place.id) ?? ""
    write(["digest": .string(digest), "removal": removal], at: latest)
  }

  /// Ends a code, which then was never there.
  func end(_ secret: String) { remove(StoredPlace(.codes, secret: secret)) }

  // MARK: Pending tokens

  /// Time for which a pending token is good, in milliseconds.
  private static let pendingTime: Int64 = 600_000

  /// Returns the credential that a pending token stands for; `nil` for one that is unknown or over.
  func pendingCredential(
    _ token: String, now: Int64
  ) throws(AccountError) -> PendingCredential? {
    guard let fields = try fields(at: StoredPlace(.pendingTokens, secret: token)),
      let expires = fields.number("expiresAt"), expires > now,
      let user = ProviderUser(fields: fields)
    else { return nil }
    return PendingCredential(user: user, checked: expires - AccountTransaction.pendingTime)
  }

  func write(_ credential: PendingCredential, of token: String) {
    var fields = credential.user.fields
    let expires = credential.checked + AccountTransaction.pendingTime
    fields["expiresAt"] = .integer(expires)
    fields["removal"] = .removal(after: expires)
    write(fields, at: StoredPlace(.pendingTokens, secret: token))
  }

  // MARK: Nonces

  /// Uses a nonce up.
  ///
  /// - Throws: `MISSING_OR_INVALID_NONCE` for one that was used.
  func use(_ nonce: UsedNonce, now: Int64) throws(AccountError) {
    let place = StoredPlace(.nonces, secret: "\(nonce.providerID)\0\(nonce.hash)")
    if let expires = try fields(at: place)?.number("expiresAt"), expires > now {
      throw AccountError(
        "MISSING_OR_INVALID_NONCE",
        "Duplicate credential received. Please try again with a new credential.")
    }
    let removal = Value.removal(after: nonce.expires)
    write(["expiresAt": .integer(nonce.expires), "removal": removal], at: place)
  }
}

extension ActionCode {
  /// The purpose and the owner, of which there is one code at a time.
  fileprivate var purpose: String { "\(kind.rawValue):\(accountID ?? email)" }
}

extension Value {
  /// Makes the time after which a record may go.
  ///
  /// - Parameter milliseconds: the time since 1970.
  fileprivate static func removal(after milliseconds: Int64) -> Value {
    let (microseconds, overflows) = milliseconds.multipliedReportingOverflow(by: 1000)
    // A time that no calendar has is never over.
    let time = overflows ? nil : try? Timestamp(microseconds: microseconds)
    return time.map(Value.timestamp) ?? .null
  }
}
