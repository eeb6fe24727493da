import HearthAccounts
import HearthDocumentModel
import HearthServerTransport

extension SignInConfiguration {
  /// Returns the check of the tokens of the providers that there are.
  ///
  /// - Parameters:
  ///   - roots: the path of a file of the certificates that are trusted; `nil` for those of the
  ///     system.
  ///   - note: hears of keys that can't be fetched.
  /// - Throws: `unavailable` if the certificates can't be read.
  func providerCheck(
    trusting roots: String?, note: @escaping @Sendable (ServerEvent) -> Void
  ) throws(DatabaseError) -> CheckedProviders {
    guard !providers.isEmpty else { return CheckedProviders([:]) }
    let client: HTTPSClient
    do throws(CertificateFailure) {
      client = try HTTPSClient(trusting: roots)
    } catch {
      throw DatabaseError(.unavailable, error.description, cause: error)
    }
    let configured = providers.map { id, provider in
      let keys = ProviderKeys { () async throws(KeyFetchFailure) in
        try await provider.keys.fetch(by: client)
      } noteFailure: { failure in
        note(.providerKeysUnavailable(provider: id, reason: failure.reason))
      }
      return (
        id,
        ConfiguredProvider(audiences: provider.audiences, issuers: provider.issuers, keys: keys)
      )
    }
    return CheckedProviders(Dictionary(configured, uniquingKeysWith: { $1 }))
  }
}
