package import Hearth
import HearthDocumentEngine
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthSecurityRules

/// A request that rules judge without its being made, to see what they would tell a user.
package struct RulesTrial: Sendable {
  /// A read or a write of one document, or a query.
  package enum Request: Sendable {
    case get(ResourcePath)
    case list(StructuredQuery)
    /// `create`, `update` or `delete`, with the fields after it; `nil` leaves those of the present.
    case write(RulesMethod, ResourcePath, after: MapValue?)
  }

  private let request: Request
  /// The claims of the user's token; `nil` for a caller who isn't signed in.
  private let claims: MapValue?

  package init(_ request: Request, by claims: MapValue?) {
    (self.request, self.claims) = (request, claims)
  }

  /// Decision on a request, with the state of its document.
  package struct Outcome: Sendable {
    /// The decision, with the values of all expressions.
    package let decision: Decision
    /// Whether the document of the request exists; `nil` for a query.
    package let documentExists: Bool?
  }

  /// Judges the request by rules, with the documents of a database around it.
  ///
  /// - Throws: the store's errors.
  package func outcome(
    by ruleset: Ruleset, in database: Database
  ) throws(DatabaseError) -> Outcome {
    let snapshot = try database.snapshot()
    let (operation, written, exists) = try operation(in: snapshot)
    let request = RulesRequest(
      in: snapshot.databaseID.database, by: claims.map { RulesAuth(claims: $0) },
      at: snapshot.clockTime, reading: TriedDocuments(snapshot: snapshot, written: written))
    let decision = try reportingErrors {
      try ruleset.decide(operation, of: request, tracing: true)
    }
    return Outcome(decision: decision, documentExists: exists)
  }

  private func operation(
    in snapshot: DatabaseSnapshot
  ) throws(DatabaseError) -> (
    RulesOperation, written: [ResourcePath: MapValue?], documentExists: Bool?
  ) {
    switch request {
    case .get(let path):
      let document = try snapshot.fields(at: path)
      return (.get(path, document: document), [:], document != nil)
    case .list(let query): return (.list(query), [:], nil)
    case .write(let method, let path, let given):
      let before = try snapshot.fields(at: path)
      let after = method == .delete ? nil : given ?? before ?? MapValue()
      let operation = RulesOperation.write(method, path, before: before, after: after)
      return (operation, [path: after], before != nil)
    }
  }
}

/// The documents around a tried request: those of a moment, and the one that it would write.
private struct TriedDocuments: RulesDocuments {
  let snapshot: DatabaseSnapshot
  let written: [ResourcePath: MapValue?]

  func fields(at path: ResourcePath) throws -> MapValue? { try snapshot.fields(at: path) }

  func fieldsAfter(at path: ResourcePath) throws -> MapValue? {
    if let after = written[path] { return after }
    return try snapshot.fields(at: path)
  }

  func writes(_ path: ResourcePath) -> Bool { written[path] != nil }
}
