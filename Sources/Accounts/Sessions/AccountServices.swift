import HearthTokens

/// The services behind the answers, which the mode decides.
struct AccountServices: Sendable {
  let store: AccountStore
  let mode: AccountMode
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64
}
