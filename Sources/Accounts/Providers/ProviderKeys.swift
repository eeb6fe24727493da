package import HearthTokens

/// The keys with which a provider signs its tokens, as it publishes them.
///
/// They are fetched when they are needed, again when they are old, and for a token with a key that
/// is unknown, but at most once in a while. All who ask at once wait for one fetch. If it fails,
/// the keys of before are good on.
package actor ProviderKeys {
  /// Fetches the keys.
  package typealias Fetching = @Sendable () async throws(KeyFetchFailure) -> FetchedKeys

  /// Seconds between two fetches at least, so that tokens of strangers cause no more.
  private static let pause: Int64 = 60
  private static let usualAge: Int64 = 3600
  private static let ages: ClosedRange<Int64> = 300...86_400

  private let fetch: Fetching
  private let noteFailure: @Sendable (KeyFetchFailure) -> Void
  private var keys: [VerificationKey] = []
  /// The second of the last fetch; `nil` for none.
  private var lastFetch: Int64?
  /// The second from which the keys are old.
  private var end: Int64 = .min
  private var running: Task<Void, Never>?

  /// - Parameter noteFailure: hears of each fetch that fails.
  package init(
    fetch: @escaping Fetching, noteFailure: @escaping @Sendable (KeyFetchFailure) -> Void
  ) {
    self.fetch = fetch
    self.noteFailure = noteFailure
  }

  /// Returns the keys, the one with a name among them if the provider has it.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: no keys if none could be fetched yet.
  package func keys(with name: String, at now: Int64) async -> [VerificationKey] {
    if now >= end || !keys.contains(where: { $0.name == name }) { await refresh(at: now) }
    return keys
  }

  private func refresh(at now: Int64) async {
    if let running { return await running.value }
    // A clock may also be set back.
    if let lastFetch, abs(now - lastFetch) < ProviderKeys.pause { return }
    lastFetch = now
    let task = Task { await replaceKeys(at: now) }
    running = task
    await task.value
  }

  private func replaceKeys(at now: Int64) async {
    do throws(KeyFetchFailure) {
      let fetched = try await fetch()
      let (least, most) = (ProviderKeys.ages.lowerBound, ProviderKeys.ages.upperBound)
      keys = fetched.keys
      end = now + min(max(fetched.age ?? ProviderKeys.usualAge, least), most)
    } catch {
      noteFailure(error)
    }
    running = nil
  }
}

/// The keys of a provider, as they came.
package struct FetchedKeys: Sendable {
  let keys: [VerificationKey]
  /// Seconds for which they may be held; `nil` where nothing says.
  let age: Int64?

  package init(_ keys: [VerificationKey], age: Int64? = nil) {
    self.keys = keys
    self.age = age
  }
}

/// The reason why the keys of a provider couldn't be fetched.
package struct KeyFetchFailure: Error {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
