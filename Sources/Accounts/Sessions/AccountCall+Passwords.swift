import HearthTokens

extension AccountCall {
  /// Returns the hash of a password, as it is stored.
  ///
  /// - Throws: `TOO_MANY_ATTEMPTS_TRY_LATER` if too many hashes are waited for.
  func hash(_ password: String) async throws(AccountError) -> String {
    do {
      return try await mode.passwords.hash(password)
    } catch {
      throw AccountError(error)
    }
  }

  /// Whether a password is that of an account. Without one, it takes as long.
  func isRight(
    _ password: String, for stored: Account.Password?
  ) async throws(AccountError) -> Bool {
    do {
      return try await mode.passwords.matches(password, stored?.hash)
    } catch {
      throw AccountError(error)
    }
  }

  /// Returns the hash that a stored one is to be replaced by; `nil` if it may stay.
  func replacement(
    of hash: String, for password: String
  ) async throws(AccountError) -> String? {
    do {
      guard try mode.passwords.isOutdated(hash) else { return nil }
      return try await mode.passwords.hash(password)
    } catch {
      throw AccountError(error)
    }
  }
}

extension AccountError {
  /// The refusal of a server that is busy, which is no one's attempt.
  static let tooManyPasswords = AccountError(
    "TOO_MANY_ATTEMPTS_TRY_LATER", "Too many passwords are being checked. Try again later.")

  fileprivate init(_ error: PasswordError) {
    switch error {
    case .tooMany:
      self = .tooManyPasswords
    case .unusable:
      self.init(status: 503, "The memory to check a password isn't there.")
    case .damaged: self.init(status: 500, "The stored hash of a password is damaged.")
    }
  }
}
