import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols

extension DocumentCalls {
  /// Sends how the results of queries and documents change, and when all of them are of one moment
  /// (W§4).
  ///
  /// For a client that doesn't read, the latest result of each target is held, regardless of the
  /// writes meanwhile. A database that doesn't exist is made, since a listener waits for its first
  /// document.
  ///
  /// - Parameter creation: creates the indexes that queries lack. Their targets wait, and the
  ///   others go on meanwhile. `nil` for refusing the queries.
  package func listen(
    _ receive: @escaping Receiving<V1.ListenRequest>, _ context: CallContext,
    creating creation: IndexCreation? = nil,
    send: Sending<V1.ListenResponse>
  ) async throws {
    guard let first = try await receive() else { return }
    let id = try context.streamDatabase(first.database)
    // Credentials that can't be read end the stream.
    _ = try judge(of: id, context)
    let database = try await database(id, context, for: .writing)
    let wakes = ListenWakes()
    let listeners = ListenerSet(in: database) { wakes.wake { $0.hasNews = true } }
    let waiting = WaitingTargets(creation, context) { built in
      wakes.wake { $0.built.append(built) }
    }
    let share = ListenerCount.Share(of: listenerCount)
    let judging = ListenerJudge(in: listeners, of: database) { () throws(DatabaseError) in
      try judge(of: id, context)
    }
    let observation = rules.observe { wakes.wake { $0.hasNewRules = true } }
    defer { withExtendedLifetime(observation) {} }
    var stream = ListenStream(on: database, id, listeners, waiting, share, judging) {
      note($0, in: id, context)
    }
    defer { stream.end() }
    try await stream.answer(first, by: send)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        let end: Result<Void, any Error>
        do {
          while let request = try await receive() { await wakes.put(request) }
          end = .success(())
        } catch {
          end = .failure(error)
        }
        wakes.wake { $0.end = end }
      }
      group.addTask { [silence] in
        while true {
          try await silence()
          wakes.wake { $0.isSilent = true }
        }
      }
      group.addTask { [rules] in
        try await rules.untilEnd(of: context.authorization, in: id)
        wakes.wake { $0.hasExpired = true }
      }
      while true {
        let wake = try await wakes.next()
        // The credentials are looked at again, and refused.
        if wake.hasExpired { _ = try judge(of: id, context) }
        if wake.hasNewRules { stream.judgeAll() }
        for built in wake.built { try await stream.goOn(built, by: send) }
        if let request = wake.request { try await stream.answer(request, by: send) }
        if wake.hasNews || wake.hasNewRules || wake.isSilent {
          try await stream.tell(isSilent: wake.isSilent, by: send)
        }
        if let end = wake.end { return try end.get() }
      }
    }
  }

  /// Notes the end of a target: of a query that lacks an index, or by a refusal of rules.
  private func note(
    _ end: ListenStream.TargetEnd, in id: DatabaseID, _ context: CallContext
  ) {
    let query = end.query.map { RequestedQuery(.documents($0), in: id) }
    if let query { note(end.error, of: query) }
    rules.note(end.error, in: id)
    context.noteListenerEnd?(end.error, query)
  }
}
