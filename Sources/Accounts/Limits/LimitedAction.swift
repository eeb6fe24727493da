/// An action that a client may repeat only so often. The page SignIn has the figures as a table.
package enum LimitedAction: Sendable, CaseIterable {
  /// A new account, and a password for one that had none.
  case signUp
  /// A sign-in by a password, a code, a custom token or a provider that is refused.
  case refusedSignIn
  /// A message with a code.
  case message
  /// A change of an address or a password by its user.
  case change

  /// A number of attempts, and the time after which each is forgotten.
  struct Allowance {
    let count: Int64
    /// Milliseconds.
    let interval: Int64

    static func hourly(_ count: Int64) -> Allowance {
      Allowance(count: count, interval: 3_600_000 / count)
    }
  }

  /// The attempts of one client; all of a network of IPv6 are one.
  var ofClient: Allowance {
    switch self {
    case .signUp, .refusedSignIn, .change: .hourly(100)
    case .message: .hourly(50)
    }
  }

  /// The attempts on one account, or on one address without an account.
  var ofAccount: Allowance {
    switch self {
    case .signUp, .refusedSignIn, .change: .hourly(10)
    case .message: .hourly(5)
    }
  }
}
