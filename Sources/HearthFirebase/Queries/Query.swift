import Hearth

/// A query: each call refines it into a new one.
///
/// What is wrong with it, a malformed path or a value of a type that Firestore doesn't have, is the
/// error of whatever runs it.
public class Query: @unchecked Sendable {
  // Nothing here changes; only a class with a subclass can't be found to be `Sendable`.
  /// The database that it asks.
  public let firestore: Firestore
  /// Hearth's query, or why there is none.
  let target: Result<Hearth.Query, any Error>

  init(_ firestore: Firestore, _ target: Result<Hearth.Query, any Error>) {
    self.firestore = firestore
    self.target = target
  }

  func refined(_ refinement: (Hearth.Query) throws -> Hearth.Query) -> Query {
    Query(firestore, Result { try refinement(target.get()) })
  }

  // MARK: Order and limits

  /// Sorts by `field`, behind the fields sorted by so far. Documents without it are left out
  /// (§4.5).
  public func order(by field: String, descending: Bool = false) -> Query {
    refined { query in
      query.order(by: try Hearth.FieldPath(dotted: field), descending: descending)
    }
  }

  /// Sorts by a field, behind the fields sorted by so far.
  public func order(by path: FieldPath, descending: Bool = false) -> Query {
    refined { query in query.order(by: try path.stored(), descending: descending) }
  }

  /// The first `limit` results.
  public func limit(to limit: Int) -> Query { refined { $0.limit(to: limit) } }

  /// The last `limit` results, in the query's order. It runs from the end, so it needs the index
  /// of the opposite order (§4.7).
  public func limit(toLast limit: Int) -> Query { refined { $0.limit(toLast: limit) } }
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
  /// The results as they are now.
  public func getDocuments(
    source: FirestoreSource = .default,
    completion: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) {
    firestore.read(read, completion: split(completion))
  }

  /// The same, awaited: no handler is called.
  @discardableResult
  public func getDocuments(
    source: FirestoreSource = .default
  ) async throws -> QuerySnapshot {
    try await firestore.read(read)
  }

  private func read() throws -> QuerySnapshot {
    QuerySnapshot(try target.get().getDocuments(), of: self)
  }
}
