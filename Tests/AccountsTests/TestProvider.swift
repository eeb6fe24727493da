import HearthAccounts
import HearthFirestoreJSON
import HearthTokens
import Synchronization

/// A provider that signs its tokens by a key of its own, and publishes it.
final class TestProvider: Sendable {
  static let audience = "com.example.app"
  static let issuer = "https://appleid.apple.com"
  static let rings = (0..<3).compactMap { _ in
    (try? KeyRing.newKey()).flatMap { try? KeyRing(pem: $0) }
  }
  /// The second at which the clock of the tests begins.
  static let now: Int64 = 1_800_000_000

  private struct State {
    var published: [KeyRing]
    var age: Int64?
    var isReachable = true
    var fetchCount = 0
    var failures: [String] = []
    /// Fetches wait while it is set.
    var gate: Gate?
  }

  private let state = Mutex(State(published: []))

  init(_ published: [KeyRing]) { publish(published) }

  var fetchCount: Int { state.withLock { $0.fetchCount } }
  var failures: [String] { state.withLock { $0.failures } }

  func publish(_ rings: [KeyRing], age: Int64? = nil) {
    state.withLock { ($0.published, $0.age) = (rings, age) }
  }

  func reach(_ isReachable: Bool) { state.withLock { $0.isReachable = isReachable } }
  func hold(by gate: Gate) { state.withLock { $0.gate = gate } }

  /// Returns the keys as a server holds them.
  func keys() -> ProviderKeys {
    ProviderKeys { [self] () async throws(KeyFetchFailure) in
      let gate = state.withLock { state in
        state.fetchCount += 1
        return state.gate
      }
      await gate?.passed()
      let fetched = state.withLock { state in
        state.isReachable
          ? FetchedKeys(state.published.flatMap(\.verification), age: state.age) : nil
      }
      guard let fetched else { throw KeyFetchFailure("unreachable") }
      return fetched
    } noteFailure: { [self] failure in
      state.withLock { $0.failures.append(failure.reason) }
    }
  }

  /// Returns the mode of a server with signed tokens that knows the provider as `apple.com`.
  func mode(_ ring: KeyRing) -> AccountMode {
    var mode = AccountMode.signed(ring, standing: TestAccounts.standing)
    mode.providers = CheckedProviders([
      "apple.com": ConfiguredProvider(
        audiences: [TestProvider.audience, "com.example.web"], issuers: [TestProvider.issuer],
        keys: keys())
    ])
    return mode
  }

  /// Returns the claims of a token.
  ///
  /// - Parameter changes: claims with other values; `null` for those that are missing.
  static func claims(
    _ subject: String, _ changes: [String: JSONValue] = [:]
  ) -> [(String, JSONValue)] {
    var claims: [String: JSONValue] = [
      "iss": .string(issuer), "aud": .string(audience), "sub": .string(subject),
      "iat": .integer(now), "exp": .integer(now + 600),
    ]
    claims.merge(changes) { $1 }
    return claims.sorted { $0.key < $1.key }.compactMap { name, value in
      if case .null = value { nil } else { (name, value) }
    }
  }
}

/// A gate at which tasks wait until it opens.
final class Gate: Sendable {
  private let (waits, end) = AsyncStream.makeStream(of: Never.self)

  func open() { end.finish() }

  func passed() async { for await _ in waits {} }
}

extension TestAccounts {
  /// Signs in by a token of a provider.
  @discardableResult
  func signIn(
    byToken token: String, nonce: String? = nil, provider: String = "apple.com",
    _ members: [(String, JSONValue)] = []
  ) async -> AccountAnswer {
    let body = "providerId=\(provider)&id_token=\(token)" + (nonce.map { "&nonce=\($0)" } ?? "")
    return await call(
      "signInWithIdp",
      [
        ("requestUri", "http://localhost"), ("postBody", .string(body)),
        ("returnIdpCredential", true),
      ] + members)
  }
}
