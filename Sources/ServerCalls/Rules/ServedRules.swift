import HearthDocumentEngine
package import HearthDocumentModel
package import HearthRules
package import HearthSecurityRules
import Synchronization

/// The security rules of a server, by project. Calls on a project without rules are an
/// administrator's, as are those of the emulators' owner.
package final class ServedRules: Sendable {
  private struct State {
    /// The rules of projects that have none of their own; `nil` for none.
    var common: SharedRuleset?
    var ofProjects: [DatabaseID: SharedRuleset] = [:]
    /// The length of the latter.
    var byteCount = 0
    var observers: [Int: @Sendable () -> Void] = [:]
    var observerCount = 0

    func rules(of project: DatabaseID) -> SharedRuleset? { ofProjects[project] ?? common }
  }

  /// Projects that may have rules of their own.
  package static let projectLimit = 1_000
  /// Bytes of all rules of projects.
  package static let byteLimit = 64 << 20

  /// The function that receives refusals.
  package typealias Noting = @Sendable (DatabaseID, RulesRefusal) -> Void

  private let judges: Bool
  private let explains: Bool
  private let records: Bool
  private let traces: Bool
  private let noteRefusal: Noting?
  private let callers: KnownCallers
  private let state: Mutex<State>

  /// - Parameters:
  ///   - common: the rules of all projects at first; `nil` for none.
  ///   - judges: whether there are callers to judge; `false` if all are administrators.
  ///   - explains: whether clients are told the reasons for refusals.
  ///   - records: whether the outcomes of the rules' expressions are counted.
  ///   - callers: tells who calls.
  ///   - noteRefusal: receives each refusal, with the values of all expressions; `nil` for nothing.
  package init(
    _ common: Ruleset? = nil, judges: Bool = true, explaining explains: Bool = false,
    recordingCoverage records: Bool = false, callers: KnownCallers = KnownCallers(),
    noteRefusal: Noting? = nil
  ) {
    self.judges = judges
    self.callers = callers
    self.explains = explains
    self.records = records
    self.noteRefusal = noteRefusal
    traces = noteRefusal != nil
    state = Mutex(State(common: common.map { SharedRuleset($0, isCovered: records) }))
  }

  // MARK: Changes

  /// Returns the rules of a project; `nil` for none.
  package func ruleset(ofProject project: String) throws(DatabaseError) -> Ruleset? {
    let key = try DatabaseID(project: project)
    return state.withLock { $0.rules(of: key)?.ruleset }
  }

  /// Returns the coverage of a project's rules by the calls so far; `nil` without rules. Projects
  /// that have no rules of their own share one.
  ///
  /// - Throws: `failedPrecondition` if coverage isn't recorded.
  package func coverage(ofProject project: String) throws(DatabaseError) -> RulesCoverage? {
    guard records else {
      throw DatabaseError(
        .failedPrecondition,
        "Coverage isn't recorded, as that makes each call dearer: start the server with "
          + "--record-coverage.")
    }
    let key = try DatabaseID(project: project)
    return state.withLock { $0.rules(of: key)?.coverage }
  }

  /// Replaces the rules of a project. They hold at once, for running streams too.
  ///
  /// - Throws: `failedPrecondition` if all callers are administrators; `resourceExhausted` if too
  ///   many projects have rules; `invalidArgument` for an id that no project can have.
  package func replace(
    _ ruleset: Ruleset, ofProject project: String
  ) throws(DatabaseError) {
    guard judges else {
      throw DatabaseError(
        .failedPrecondition,
        "The server asks for access tokens, whose bearers are administrators: rules would judge no "
          + "call.")
    }
    let key = try DatabaseID(project: project)
    let observers = state.withLock { state -> [@Sendable () -> Void]? in
      let old = state.ofProjects[key]
      let byteCount =
        state.byteCount - (old?.ruleset.source.utf8.count ?? 0) + ruleset.source.utf8.count
      guard old != nil || state.ofProjects.count < ServedRules.projectLimit,
        byteCount <= ServedRules.byteLimit
      else { return nil }
      state.ofProjects[key] = SharedRuleset(ruleset, isCovered: records)
      state.byteCount = byteCount
      return Array(state.observers.values)
    }
    guard let observers else {
      throw DatabaseError(
        .resourceExhausted,
        "The server has rules of at most \(ServedRules.projectLimit) projects, and "
          + "\(ServedRules.byteLimit) bytes of them.")
    }
    for observer in observers { observer() }
  }

  /// Replaces the rules of all projects that have none of their own.
  package func replaceCommon(by ruleset: Ruleset) {
    let observers = state.withLock { state in
      state.common = SharedRuleset(ruleset, isCovered: records)
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  /// Calls `body` after each change of rules, on any thread, as long as the observation lives. It
  /// must not wait.
  func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    let number = state.withLock { state in
      state.observerCount += 1
      state.observers[state.observerCount] = body
      return state.observerCount
    }
    return Observation { [weak self] in
      self?.state.withLock { $0.observers[number] = nil }
    }
  }

  /// An observation of changes, which ends with the object.
  final class Observation: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit { end() }
  }

  // MARK: Judging

  /// Returns the judge of a call; `nil` if the caller is an administrator, or the project has no
  /// rules.
  ///
  /// - Throws: `unauthenticated` or `invalidArgument` for credentials that can't be read.
  func judge(
    of id: DatabaseID, for authorization: String?
  ) throws(DatabaseError) -> RulesJudge? {
    let key = try DatabaseID(project: id.project)
    guard let rules = state.withLock({ $0.rules(of: key) }),
      case .user(let auth, _) = try callers.identity(authorization, for: id.project)
    else { return nil }
    var judge = RulesJudge(rules, for: auth)
    judge.explains = explains
    judge.traces = traces
    return judge
  }

  /// Returns when the credentials of a caller are good no longer, which may be never.
  ///
  /// - Throws: `CancellationError`; `unauthenticated` or `invalidArgument` for credentials that
  ///   can't be read.
  func untilEnd(of authorization: String?, in id: DatabaseID) async throws {
    try await callers.untilEnd(of: authorization, for: id.project)
  }

  /// Returns the judgement of a call's writes, by the rules at the moment of the commit; `nil` for
  /// an administrator.
  ///
  /// - Throws: `unauthenticated` or `invalidArgument` for credentials that can't be read.
  func judgementOfWrites(
    in id: DatabaseID, for authorization: String?, inTransaction isInTransaction: Bool = false
  ) throws(DatabaseError) -> CommitJudgement? {
    guard try judge(of: id, for: authorization) != nil else { return nil }
    return { [self] staged in
      try judge(of: id, for: authorization)?.check(staged, inTransaction: isInTransaction)
    }
  }

  /// Notes an error if it is a refusal by rules.
  func note(_ error: DatabaseError, in id: DatabaseID) {
    if let refusal = error.rulesRefusal { noteRefusal?(id, refusal) }
  }
}

extension DatabaseError {
  /// The error of a call that only administrators may make, in the words of emulators.
  static let needsAdministrator = DatabaseError(
    .permissionDenied, "Metadata operations require admin authentication.")
  static let batchNeedsAdministrator = DatabaseError(
    .permissionDenied, "Batch writes require admin authentication.")
}
