import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthSecurityRules
import HearthServerCalls
import HearthServerTransport
import SwiftProtobuf

/// Hearth's own administration over HTTP, below `/hearth/v1/`: the last calls, the health of the
/// server, the use of indexes, the reasons for plans, and rules that are tried. For administrators.
struct InspectionService: Sendable {
  private static let prefix = "/hearth"

  let registry: DatabaseRegistry
  let administration: AdministrationCalls
  let rules: ServedRules
  let log: CallLog
  let health: HealthHistory
  /// Refuses callers who are no administrators.
  let check: @Sendable (CallContext) throws(DatabaseError) -> Void

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address of something else.
  func answer(_ request: HTTPRequest) async -> HTTPResponse? {
    guard request.target.hasPrefix(InspectionService.prefix + "/v1/") else { return nil }
    let target = String(request.target.dropFirst(InspectionService.prefix.count))
    let context = CallContext(authorization: request.header("authorization"))
    do throws(DatabaseError) {
      try check(context)
      if request.method == "GET", let answer = RulesUpload(rules).answer(request, at: target) {
        return answer
      }
      guard let address = try InspectionAddress(request.method, target) else { return nil }
      let body = JSONValue.object(try RESTRequest.body(of: request))
      return RESTService.response(200, try await json(at: address, body, context))
    } catch {
      return RESTService.refusal(error, streams: false)
    }
  }

  private func json(
    at address: InspectionAddress, _ body: JSONValue, _ context: CallContext
  ) async throws(DatabaseError) -> JSONValue {
    switch address {
    case .calls(let number):
      let calls = log.calls(from: number).map(\.json)
      return .object([("log", .string(log.id)), ("calls", .array(calls))])
    case .call(let number):
      guard let call = log.call(number) else {
        throw DatabaseError(.notFound, "The call \(number) is not among the last ones.")
      }
      return call.wholeJSON
    case .health: return health.json
    case .indexes(let id): return try await administration.indexReport(id, context).json
    case .hiding(let isHidden, let name):
      try await administration.setHidden(isHidden, name, context)
      return .object([])
    case .explanation(let parent): return try await explanation(body, below: parent)
    case .trial(let id): return try await trial(TrialRequest(body, in: id), in: id)
    }
  }

  /// Returns the reasons why a query doesn't read the other indexes of its collection.
  ///
  /// - Parameter body: a message of `RunQuery`, without its parent.
  private func explanation(
    _ body: JSONValue, below parent: String
  ) async throws(DatabaseError) -> JSONValue {
    var reader = JSONMessageReader()
    let members = body.members.filter { $0.0 != "parent" } + [("parent", JSONValue.string(parent))]
    let bytes = try reader.bytes(
      of: .object(members), as: V1.RunQueryRequest.protoMessageName)
    let request = try V1.RunQueryRequest(request: bytes)
    guard let requested = try request.requestedQuery(), case .documents(let query) = requested.query
    else { throw .invalidArgument("The query has explain options of its own.") }
    let database = try await registry.database(requested.database, for: .reading)
    let unused = try await database.query(query).indexesNotUsed()
    return .object([("indexesNotUsed", .array(unused.map { $0.json }))])
  }

  private func trial(
    _ request: TrialRequest, in id: DatabaseID
  ) async throws(DatabaseError) -> JSONValue {
    let inForce = try rules.ruleset(ofProject: id.project)
    guard let ruleset = request.ruleset ?? inForce else {
      throw DatabaseError(.failedPrecondition, "The project \(id.project) has no rules.")
    }
    let database = try await registry.database(id, for: .reading)
    let trial = request.trial
    let outcome = try await Waiting.run(.read) { () throws(DatabaseError) in
      try trial.outcome(by: ruleset, in: database)
    }
    guard let exists = outcome.documentExists else { return outcome.decision.json }
    return .object(outcome.decision.json.members + [("documentExists", .boolean(exists))])
  }
}
