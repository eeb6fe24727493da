import Hearth
import HearthRules

/// The snapshots of a listener, as the users who are signed in may see them. Each iteration listens
/// anew.
struct JudgedSnapshots<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = DatabaseError

  private let caller: RulesCaller
  private let listen: @Sendable (ListeningUser) -> JudgedListener
  private let element: @Sendable (Hearth.QuerySnapshot) -> Element

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(snapshots: self) }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let snapshots: JudgedSnapshots
    private var listening: (user: FollowedUser, listener: JudgedListener)?

    fileprivate init(snapshots: JudgedSnapshots) {
      self.snapshots = snapshots
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> Element? {
      let listening = if let listening { listening } else { try begin() }
      self.listening = listening
      return try await listening.listener.next().map(snapshots.element)
    }

    private func begin() throws(DatabaseError) -> (user: FollowedUser, listener: JudgedListener) {
      let user = try FollowedUser(snapshots.caller)
      return (user, snapshots.listen(user.user))
    }
  }
}

extension JudgedSnapshots<Hearth.QuerySnapshot> {
  init(of query: Hearth.Query, for caller: RulesCaller) {
    self.init(caller: caller, listen: { JudgedListener(query, for: $0) }, element: { $0 })
  }
}

extension JudgedSnapshots<Hearth.DocumentSnapshot> {
  init(of document: Hearth.DocumentReference, for caller: RulesCaller) {
    self.init(
      caller: caller, listen: { JudgedListener(document, for: $0) },
      element: { $0.documents.first ?? document.missingSnapshot })
  }
}
