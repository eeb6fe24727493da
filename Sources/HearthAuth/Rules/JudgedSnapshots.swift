import Hearth
import HearthRules

/// The results of a query over time, as the users who are signed in may see them.
struct JudgedQuery: AsyncSequence, Sendable {
  typealias Element = Hearth.QuerySnapshot
  typealias Failure = DatabaseError

  let query: Hearth.Query
  let caller: RulesCaller

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query, caller: caller) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let query: Hearth.Query
    let caller: RulesCaller
    private var listening: (user: FollowedUser, listener: JudgedListener)?

    init(query: Hearth.Query, caller: RulesCaller) {
      self.query = query
      self.caller = caller
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> Hearth.QuerySnapshot? {
      let listening = if let listening { listening } else { try begin() }
      self.listening = listening
      return try await listening.listener.next()
    }

    private func begin() throws(DatabaseError) -> (user: FollowedUser, listener: JudgedListener) {
      let user = try FollowedUser(caller)
      return (user, JudgedListener(query, for: user.user))
    }
  }
}

/// A document over time, as the users who are signed in may see it.
struct JudgedDocument: AsyncSequence, Sendable {
  typealias Element = Hearth.DocumentSnapshot
  typealias Failure = DatabaseError

  let document: Hearth.DocumentReference
  let caller: RulesCaller

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(document: document, caller: caller) }

  struct AsyncIterator: AsyncIteratorProtocol {
    let document: Hearth.DocumentReference
    let caller: RulesCaller
    private var listening: (user: FollowedUser, listener: JudgedListener)?

    init(document: Hearth.DocumentReference, caller: RulesCaller) {
      self.document = document
      self.caller = caller
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> Hearth.DocumentSnapshot? {
      let listening = if let listening { listening } else { try begin() }
      self.listening = listening
      return try await listening.listener.next().map { results in
        results.documents.first ?? document.missingSnapshot
      }
    }

    private func begin() throws(DatabaseError) -> (user: FollowedUser, listener: JudgedListener) {
      let user = try FollowedUser(caller)
      return (user, JudgedListener(document, for: user.user))
    }
  }
}
