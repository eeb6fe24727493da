extension Account {
  /// Makes a new account with an id of its own.
  init(call: AccountCall) {
    self.init(id: AccountID.random(), call: call)
  }

  init(id: String, call: AccountCall) {
    self.init(id: id, incarnation: AccountID.random(), now: call.now)
  }
}

/// The ids of accounts.
enum AccountID {
  private static let characters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// Returns 28 random letters and digits.
  static func random() -> String {
    let bytes = (0..<28).map { _ in characters[Int.random(in: 0..<characters.count)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// - Throws: `INVALID_LOCAL_ID` for an id that no account can have.
  static func check(_ id: String) throws(AccountError) {
    guard (1...128).contains(id.unicodeScalars.count) else {
      throw AccountError("INVALID_LOCAL_ID")
    }
  }
}

extension AccountCall {
  private static let longestName = 256
  private static let longestAddress = 2048

  /// Sets the name and the photo of an account to those of the request, if there are any.
  ///
  /// - Throws: `INVALID_DISPLAY_NAME` or `INVALID_PHOTO_URL` for texts that are too long.
  func setProfile(of account: inout Account) throws(AccountError) {
    if let name = try fields.text("displayName") {
      guard name.count <= AccountCall.longestName else {
        throw AccountError(
          "INVALID_DISPLAY_NAME", "A name has at most \(AccountCall.longestName) characters.")
      }
      account.displayName = name
    }
    if let address = try fields.text("photoUrl") {
      guard address.count <= AccountCall.longestAddress else {
        throw AccountError(
          "INVALID_PHOTO_URL", "An address has at most \(AccountCall.longestAddress) characters.")
      }
      account.photoURL = address
    }
  }
}
