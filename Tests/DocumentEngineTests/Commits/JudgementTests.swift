import Glibc
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import TestSupport
import Testing

/// Commits that are judged while they are staged.
@Suite struct JudgementTests {
  private static let a = ResourcePath(unchecked: ["c", "a"])
  private static let b = ResourcePath(unchecked: ["c", "b"])
  private static let rights = ResourcePath(unchecked: ["rights", "all"])
  private static let n = FieldPath(unchecked: ["n"])
  private static let at = FieldPath(unchecked: ["at"])

  private let engine: Engine

  init() throws {
    var settings = EngineSettings()
    settings.locks.timeout = .seconds(3600)
    engine = try Engine(MemoryStore(), settings: settings)
    _ = try engine.commit([.set(Self.a, ["n": 1, "m": 1]), .set(Self.rights, ["write": true])])
  }

  private func fields(_ path: ResourcePath) throws -> MapValue? {
    try engine.document(at: path)?.fields()
  }

  /// A judgement that allows writes as long as a document says so.
  @Sendable private static func byRights(_ staged: StagedRequest) throws {
    guard try staged.fields(at: rights)?["write"] == true else {
      throw DatabaseError(.permissionDenied, "no right")
    }
  }

  @Test func itSeesEachDocumentOnceBeforeAndAfterAllWrites() throws {
    let seen = Lock<[StagedRequest.StagedDocument]>([])
    let time = Lock<Timestamp?>(nil)
    _ = try engine.commit(
      [
        .set(Self.b, ["n": 1]),
        .merge(Self.a, ["n": 5], transforms: [FieldTransform(Self.at, .serverTimestamp)]),
        Write(
          path: Self.b, operation: .update(fields: MapValue(), mask: []),
          transforms: [FieldTransform(Self.n, .increment(41))]),
        .verify(Self.rights, .exists(true)),
      ],
      judging: { staged in
        seen.withLock { $0 = staged.documents }
        time.withLock { $0 = staged.serverTime }
      })
    let documents = seen.withLock { $0 }
    #expect(documents.map(\.path) == [Self.b, Self.a, Self.rights])
    #expect(documents.map(\.isWritten) == [true, true, false])
    #expect(documents.map(\.before) == [nil, ["n": 1, "m": 1], ["write": true]])
    let after: [MapValue?] = [
      ["n": 42], try fields(Self.a), ["write": true],
    ]
    #expect(documents.map(\.after) == after)
    #expect(try fields(Self.a)?["at"] == time.withLock { $0.map { .timestamp($0) } })
    #expect(try fields(Self.a)?["n"] == 5)
    #expect(try fields(Self.b) == after[0])
  }

  @Test func itReadsOtherDocumentsBeforeAndAfter() throws {
    let seen = Lock<[MapValue?]>([])
    _ = try engine.commit(
      [.set(Self.a, ["n": 2]), .delete(Self.rights)],
      judging: { staged in
        let read = try [Self.a, Self.rights, Self.b].flatMap { path in
          [try staged.fields(at: path), try staged.fieldsAfter(at: path)]
        }
        seen.withLock { $0 = read }
      })
    let expected: [MapValue?] = [
      ["n": 1, "m": 1], ["n": 2], ["write": true], nil, nil, nil,
    ]
    #expect(seen.withLock { $0 } == expected)
  }

  @Test func aRefusalHasNoEffect() throws {
    let error = #expect(throws: DatabaseError.self) {
      try engine.commit(
        [.set(Self.a, [:]), .set(Self.b, [:])],
        judging: { _ in throw DatabaseError(.permissionDenied, "no") })
    }
    #expect(error?.code == .permissionDenied)
    #expect(try fields(Self.a) == ["n": 1, "m": 1])
    #expect(try fields(Self.b) == nil)
  }

  /// Otherwise the error would tell a caller without rights of a document.
  @Test(arguments: [
    Write.create(a, [:]), .delete(b, .exists(true)), .delete(a, .updateTime(.minimum)),
    .merge(a, ["more": .string(String(repeating: "x", count: 600_000))]),
  ])
  func aRefusalComesBeforeTheErrorOfAWrite(write: Write) throws {
    _ = try engine.commit([
      .merge(Self.a, ["much": .string(String(repeating: "x", count: 600_000))])
    ])
    func code(_ judgement: @escaping CommitJudgement) -> DatabaseError.Code? {
      #expect(throws: DatabaseError.self) { try engine.commit([write], judging: judgement) }?.code
    }
    #expect(code { _ in throw DatabaseError(.permissionDenied, "no") } == .permissionDenied)
    let plain = #expect(throws: DatabaseError.self) { try engine.commit([write]) }
    #expect(code { _ in } == plain?.code)
    #expect(plain?.code != .permissionDenied)
  }

  /// Both requests are of one group, which is one batch.
  @Test func itSeesWhatEarlierRequestsOfItsGroupChange() throws {
    let scope = try engine.beginTransaction(alone: LoneAttempt())
    let works = [Waiting(), Waiting()]
    startThread { [engine] in
      works[0].end(Result { _ = try engine.commit([.set(Self.rights, ["write": false])]) })
    }
    while engine.heldCommitCount < 1 { sched_yield() }
    startThread { [engine] in
      works[1].end(
        Result { _ = try engine.commit([.set(Self.b, [:])], judging: Self.byRights) })
    }
    while engine.heldCommitCount < 2 { sched_yield() }
    scope.rollback()
    try works[0].wait()
    let error = #expect(throws: DatabaseError.self) { try works[1].wait() }
    #expect(error?.code == .permissionDenied)
    #expect(try fields(Self.b) == nil)
  }

  @Test func aRequestThatFailedInItsGroupHasChangedNothing() throws {
    let scope = try engine.beginTransaction(alone: LoneAttempt())
    let works = [Waiting(), Waiting(), Waiting()]
    let requests: [(writes: [Write], judgement: CommitJudgement?)] = [
      ([.set(Self.rights, ["write": false])], { _ in throw DatabaseError(.aborted, "no") }),
      ([.set(Self.a, ["n": 9])], nil), ([.set(Self.b, [:])], Self.byRights),
    ]
    for (number, request) in requests.enumerated() {
      startThread { [engine] in
        works[number].end(
          Result { _ = try engine.commit(request.writes, judging: request.judgement) })
      }
      while engine.heldCommitCount < number + 1 { sched_yield() }
    }
    scope.rollback()
    #expect(throws: DatabaseError.self) { try works[0].wait() }
    try works[1].wait()
    try works[2].wait()
    #expect(try fields(Self.rights) == ["write": true])
    #expect(try fields(Self.b) == [:])
  }

  /// The right goes while the commit waits for a lock.
  @Test func aCommitThatHasWaitedIsJudgedAgain() throws {
    let scope = try engine.beginLockingTransaction()
    _ = try scope.read { view throws(DatabaseError) in try view.document(at: Self.a) }
    let work = Waiting()
    startThread { [engine] in
      work.end(Result { _ = try engine.commit([.set(Self.a, [:])], judging: Self.byRights) })
    }
    while engine.lockWaitCount == 0, !work.isOver { sched_yield() }
    _ = try engine.commit([.set(Self.rights, ["write": false])])
    scope.rollback()
    let error = #expect(throws: DatabaseError.self) { try work.wait() }
    #expect(error?.code == .permissionDenied)
    #expect(try fields(Self.a) == ["n": 1, "m": 1])
  }

  @Test func transactionsAreJudgedAtTheirCommit() throws {
    let locking = try engine.beginLockingTransaction()
    let optimistic = try engine.beginTransaction()
    _ = try locking.read { view throws(DatabaseError) in try view.document(at: Self.b) }
    _ = try optimistic.document(at: Self.b)
    // Neither has read it.
    _ = try engine.commit([.set(Self.rights, ["write": false])])
    let errors = [
      #expect(throws: DatabaseError.self) {
        try locking.commit([.set(Self.a, [:])], judging: Self.byRights)
      },
      #expect(throws: DatabaseError.self) {
        try optimistic.commit([.set(Self.a, [:])], judging: Self.byRights)
      },
    ]
    #expect(errors.map { $0?.code } == [.permissionDenied, .permissionDenied])
    // The locks are released.
    _ = try engine.commit([.set(Self.b, [:])])
    #expect(throws: DatabaseError.self) { try locking.commit([]) }
  }

  @Test func anEmptyCommitIsNotJudged() throws {
    _ = try engine.commit([], judging: { _ in throw DatabaseError(.permissionDenied, "no") })
  }
}
