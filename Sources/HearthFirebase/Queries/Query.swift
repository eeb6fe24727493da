import Hearth

/// A query. Each call returns a refined copy.
///
/// An error in the query, such as a malformed path or a value of a type that Firestore doesn't
/// have, is the error of the call that runs it.
public class Query: @unchecked Sendable {
  // No property changes; the compiler can't infer `Sendable` for a class with a subclass.
  /// The database that the query reads.
  public let firestore: Firestore
  /// Hearth's query, or the error in it.
  let target: Result<Hearth.Query, any Error>

  init(_ firestore: Firestore, _ target: Result<Hearth.Query, any Error>) {
    self.firestore = firestore
    self.target = target
  }

  func refined(_ refinement: (Hearth.Query) throws -> Hearth.Query) -> Query {
    Query(firestore, Result { try refinement(target.get()) })
  }

  // MARK: Order and limits

  /// Sorts by `field`, after the fields of earlier orders. Documents without the field are left out
  /// (§4.5).
  public func order(by field: String, descending: Bool = false) -> Query {
    refined { $0.order(by: try field.storedPath(), descending: descending) }
  }

  /// Sorts by a field, after the fields of earlier orders.
  public func order(by path: FieldPath, descending: Bool = false) -> Query {
    refined { $0.order(by: try path.storedPath(), descending: descending) }
  }

  /// Limits the query to its first `limit` results.
  public func limit(to limit: Int) -> Query { refined { $0.limit(to: limit) } }

  /// Limits the query to its last `limit` results, in the query's order. The query runs from the
  /// end, so it needs the index of the opposite order (§4.7).
  public func limit(toLast limit: Int) -> Query { refined { $0.limit(toLast: limit) } }
}

extension Firestore {
  /// Returns a query over all collections with an id, at any depth (§1.1). It needs indexes of
  /// group scope.
  public func collectionGroup(_ collectionID: String) -> Query {
    Query(self, Result { try self.database().collectionGroup(collectionID) })
  }
}

extension Query: Hashable {
  /// Whether both ask the same of the same open database.
  public static func == (left: Query, right: Query) -> Bool {
    switch (left.target, right.target) {
    case (.success(let left), .success(let right)): left == right
    default: left === right
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch target {
    case .success(let query):
      hasher.combine(query.structuredQuery.parent)
      hasher.combine(UTF8Key(query.structuredQuery.collectionID))
    case .failure: hasher.combine(ObjectIdentifier(self))
    }
  }
}

// MARK: - Running

extension Query {
  /// Reads the results as they are now.
  public func getDocuments(
    source: FirestoreSource = .default,
    completion: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) {
    firestore.read(reading(), completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  @discardableResult
  public func getDocuments(
    source: FirestoreSource = .default
  ) async throws -> QuerySnapshot {
    try await firestore.read(reading())
  }

  private func reading() -> @Sendable () throws -> QuerySnapshot {
    let requests = firestore.requests
    return { QuerySnapshot(try requests.getDocuments(self.target.get()), of: self) }
  }
}
