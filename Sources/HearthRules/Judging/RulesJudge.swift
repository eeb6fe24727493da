package import Hearth
package import HearthDocumentEngine
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthSecurityRules

/// Rules that any number of judges share.
package final class SharedRuleset: Sendable {
  package let ruleset: Ruleset
  /// The outcomes of the rules' expressions so far; `nil` if there are no reports of them.
  package let coverage: RulesCoverage?

  /// - Parameter isCovered: whether the outcomes of the rules' expressions are counted.
  package init(_ ruleset: Ruleset, isCovered: Bool = false) {
    self.ruleset = ruleset
    coverage = isCovered ? RulesCoverage(of: ruleset) : nil
  }

  fileprivate func decide(
    _ operation: RulesOperation, of request: RulesRequest
  ) throws -> Decision {
    guard let coverage else { return try ruleset.decide(operation, of: request) }
    return try coverage.decide(operation, of: request)
  }
}

/// The judge of one user's requests.
package struct RulesJudge: Sendable {
  private let shared: SharedRuleset
  /// The user; `nil` for a caller who isn't signed in.
  package let auth: RulesAuth?
  /// Whether the texts of refusals give the reasons, for developers.
  package var explains = false
  /// Whether refusals list the values of all expressions.
  package var traces = false

  package init(_ rules: SharedRuleset, for auth: RulesAuth?) {
    shared = rules
    self.auth = auth
  }

  // MARK: Reads

  /// Begins the judgement of a request's reads.
  ///
  /// - Parameter snapshot: the database in which rules find other documents.
  package func judgement(in snapshot: DatabaseSnapshot) -> ReadJudgement {
    ReadJudgement(by: self, in: snapshot)
  }

  /// Judges the read of a document.
  ///
  /// - Parameter snapshot: the database in which rules find other documents.
  /// - Throws: `permissionDenied`; the store's error.
  package func check(
    _ document: DocumentSnapshot, in snapshot: DatabaseSnapshot
  ) throws(DatabaseError) {
    var judgement = judgement(in: snapshot)
    try judgement.get(document)
    try judgement.check()
  }

  /// Returns whether a document may be read.
  ///
  /// - Throws: the store's error.
  package func allows(
    _ document: DocumentSnapshot, in snapshot: DatabaseSnapshot
  ) throws(DatabaseError) -> Bool {
    var judgement = judgement(in: snapshot)
    try judgement.get(document)
    return judgement.isAllowed
  }

  /// Judges a query, before it runs.
  ///
  /// - Parameter snapshot: the database in which rules find other documents.
  /// - Throws: `permissionDenied`; the store's error.
  package func check(
    _ query: StructuredQuery, in snapshot: DatabaseSnapshot
  ) throws(DatabaseError) {
    var judgement = judgement(in: snapshot)
    try judgement.list(query)
    try judgement.check()
  }

  // MARK: Writes

  /// Returns the judgement of a request's writes, which throws `permissionDenied`.
  func judgementOfWrites(inTransaction isInTransaction: Bool = false) -> CommitJudgement {
    { staged in try check(staged, inTransaction: isInTransaction) }
  }

  /// Judges a request's writes: each document once, with all that the request does to it.
  ///
  /// - Throws: `permissionDenied`; the store's error.
  package func check(
    _ staged: StagedRequest, inTransaction isInTransaction: Bool
  ) throws(DatabaseError) {
    let request = RulesRequest(
      in: staged.databaseID.database, by: auth, at: staged.serverTime,
      isInTransaction: isInTransaction, reading: StagedDocuments(staged))
    var refused: [RulesRefusal.Operation] = []
    for document in staged.documents where refused.count < RulesRefusal.operationLimit {
      let refusal = try refusal(of: document.operation, at: document.path, in: request)
      if let refusal { refused.append(refusal) }
    }
    try check(refused)
  }

  // MARK: Decisions

  /// Returns the refusal of an operation; `nil` if it is allowed.
  func refusal(
    of operation: RulesOperation, at path: ResourcePath, in request: RulesRequest
  ) throws(DatabaseError) -> RulesRefusal.Operation? {
    try reportingErrors {
      let decision = try shared.decide(operation, of: request)
      guard !decision.isAllowed else { return nil }
      // Only a refusal is worth the cost of a trace. The documents are known by now.
      let trace =
        traces ? try shared.ruleset.decide(operation, of: request, tracing: true).trace : []
      return RulesRefusal.Operation(
        method: operation.method, path: path, items: decision.items, trace: trace)
    }
  }

  /// Throws if there are refused operations.
  func check(_ refused: [RulesRefusal.Operation]) throws(DatabaseError) {
    guard !refused.isEmpty else { return }
    throw DatabaseError(RulesRefusal(operations: refused), explaining: explains)
  }
}

/// The judgement of one request's reads. All of them together have one limit of other documents
/// that rules may read.
package struct ReadJudgement {
  private let judge: RulesJudge
  private let request: RulesRequest
  private var refused: [RulesRefusal.Operation] = []

  init(by judge: RulesJudge, in snapshot: DatabaseSnapshot) {
    self.judge = judge
    request = RulesRequest(
      in: snapshot.databaseID.database, by: judge.auth, at: snapshot.clockTime,
      reading: SnapshotDocuments(snapshot: snapshot))
  }

  /// Judges the read of a document.
  ///
  /// - Throws: the store's error. ``check()`` throws the refusal.
  package mutating func get(_ document: DocumentSnapshot) throws(DatabaseError) {
    guard refused.count < RulesRefusal.operationLimit else { return }
    let path = document.reference.path
    try note(.get(path, document: document.data()), path)
  }

  /// Judges a query.
  ///
  /// - Throws: the store's error. ``check()`` throws the refusal.
  package mutating func list(_ query: StructuredQuery) throws(DatabaseError) {
    let path =
      query.collectionID.isEmpty
      ? query.parent : query.parent.appending(unchecked: query.collectionID)
    try note(.list(query), path)
  }

  /// Throws if one of the reads is refused.
  ///
  /// - Throws: `permissionDenied`.
  package func check() throws(DatabaseError) { try judge.check(refused) }

  /// Whether no read so far is refused.
  var isAllowed: Bool { refused.isEmpty }

  /// The documents that rules have read. The judgement may change when one of them does.
  package var documentsRead: [ResourcePath] { request.documentsRead }

  private mutating func note(
    _ operation: RulesOperation, _ path: ResourcePath
  ) throws(DatabaseError) {
    let refusal = try judge.refusal(of: operation, at: path, in: request)
    if let refusal { refused.append(refusal) }
  }
}
