package import Hearth
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

  /// Judges the request by rules, with the documents of a database around it.
  ///
  /// - Returns: the decision with the values of all expressions.
  /// - Throws: the store's errors.
  package func decision(
    by ruleset: Ruleset, in database: Database
  ) throws(DatabaseError) -> Decision {
    let snapshot = try database.snapshot()
    do {
      let (operation, written) = try operation(in: snapshot)
      let request = RulesRequest(
        in: try database.id().database, by: claims.map { RulesAuth(claims: $0) },
        at: snapshot.clockTime, reading: TriedDocuments(snapshot: snapshot, written: written))
      return try ruleset.decide(operation, of: request, tracing: true)
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw DatabaseError(.internal, "\(error)")
    }
  }

  private func operation(
    in snapshot: DatabaseSnapshot
  ) throws(DatabaseError) -> (RulesOperation, written: [ResourcePath: MapValue?]) {
    switch request {
    case .get(let path): return (.get(path, document: try snapshot.fields(at: path)), [:])
    case .list(let query): return (.list(query), [:])
    case .write(let method, let path, let given):
      let before = try snapshot.fields(at: path)
      let after = method == .delete ? nil : given ?? before ?? MapValue()
      return (.write(method, path, before: before, after: after), [path: after])
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
