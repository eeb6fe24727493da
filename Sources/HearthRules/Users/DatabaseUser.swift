public import Hearth
public import HearthDocumentModel
public import HearthQueryPlanning
public import HearthSecurityRules

/// A database as one user sees it. Each request is judged by security rules, and those that the
/// rules don't allow throw `permissionDenied` and have no effect.
///
/// A document is judged as it is read, at the same moment. Queries are judged before they run, from
/// their conditions alone: one that could find a document that the rules don't allow is refused,
/// even if it would find none. Writes are judged by each document before and after all of them,
/// within the commit. The error of a refusal has its ``RulesRefusal`` in
/// ``HearthDocumentModel/DatabaseError/rulesRefusal``.
public struct DatabaseUser: Sendable {
  /// The user; `nil` for one who isn't signed in.
  public var auth: RulesAuth? { judge.auth }
  /// The database.
  public let database: Database
  let judge: RulesJudge

  init(of database: Database, judgedBy judge: RulesJudge) {
    self.database = database
    self.judge = judge
  }
}

// MARK: - Reading

extension DatabaseUser {
  /// Returns a document as it is now.
  ///
  /// - Throws: `permissionDenied`, whether the document exists or not; the errors of
  ///   `DocumentReference.getDocument`.
  public func getDocument(
    _ reference: DocumentReference
  ) throws(DatabaseError) -> DocumentSnapshot {
    let snapshot = try database.snapshot()
    let document = try snapshot.getDocument(reference)
    try judge.check(document, in: snapshot)
    return document
  }

  /// Does the same without blocking the calling thread.
  public func getDocument(
    _ reference: DocumentReference
  ) async throws(DatabaseError) -> DocumentSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.getDocument(reference) }
  }

  /// Returns the documents at `references`, all of the same moment, as `Database.getAll` does.
  ///
  /// - Throws: `permissionDenied` if one of them is refused; the errors of `Database.getAll`.
  public func getAll(
    _ references: [DocumentReference]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    let snapshot = try database.snapshot()
    let documents = try snapshot.getAll(references)
    try judge.check(documents, in: snapshot)
    return documents
  }

  /// Does the same without blocking the calling thread.
  public func getAll(
    _ references: [DocumentReference]
  ) async throws(DatabaseError) -> [DocumentSnapshot] {
    try await Blocking.run { () throws(DatabaseError) in try self.getAll(references) }
  }

  /// Returns the results of a query.
  ///
  /// - Throws: `permissionDenied`; the errors of the query's own `getDocuments`.
  public func getDocuments(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> QuerySnapshot {
    try judged(query).getDocuments(query, timeout: timeout)
  }

  /// Does the same without blocking the calling thread.
  public func getDocuments(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> QuerySnapshot {
    try await Blocking.run { () throws(DatabaseError) in
      try self.getDocuments(query, timeout: timeout)
    }
  }

  /// Returns the number of a query's results.
  ///
  /// - Throws: `permissionDenied`; the errors of the query's own `count`.
  public func count(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> Int {
    try judged(query).count(query, timeout: timeout)
  }

  /// Does the same without blocking the calling thread.
  public func count(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> Int {
    try await Blocking.run { () throws(DatabaseError) in try self.count(query, timeout: timeout) }
  }

  /// Returns figures over a query's results (§9.1).
  ///
  /// - Throws: `permissionDenied`; the errors of the query's own `aggregate`.
  public func aggregate(
    _ aggregations: [Aggregation], of query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> AggregateSnapshot {
    try judged(query).aggregate(aggregations, of: query, timeout: timeout)
  }

  /// Does the same without blocking the calling thread.
  public func aggregate(
    _ aggregations: [Aggregation], of query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> AggregateSnapshot {
    try await Blocking.run { () throws(DatabaseError) in
      try self.aggregate(aggregations, of: query, timeout: timeout)
    }
  }

  /// Returns one page of a collection's documents (§7.5), which is judged as a query for them whose
  /// limit is the size of the page.
  ///
  /// - Throws: `permissionDenied`; the errors of `DatabaseSnapshot.listDocuments`.
  public func listDocuments(
    in collection: CollectionReference, pageSize: Int = 0, pageToken: String = "",
    orders: [Order] = []
  ) throws(DatabaseError) -> DocumentPage {
    let snapshot = try database.snapshot()
    try judge.check(
      StructuredQuery(
        collectionID: collection.id, below: collection.path.parent, orders: orders,
        limit: pageSize == 0 ? 300 : pageSize), in: snapshot)
    return try snapshot.listDocuments(
      in: collection, pageSize: pageSize, pageToken: pageToken, orders: orders)
  }

  /// Does the same without blocking the calling thread.
  public func listDocuments(
    in collection: CollectionReference, pageSize: Int = 0, pageToken: String = "",
    orders: [Order] = []
  ) async throws(DatabaseError) -> DocumentPage {
    try await Blocking.run { () throws(DatabaseError) in
      try self.listDocuments(
        in: collection, pageSize: pageSize, pageToken: pageToken, orders: orders)
    }
  }

  /// Judges a query, and returns the moment to run it at.
  private func judged(_ query: some QueryBuilding) throws(DatabaseError) -> DatabaseSnapshot {
    let snapshot = try database.snapshot()
    try judge.check(query.query.runnable(), in: snapshot)
    return snapshot
  }
}

extension RulesJudge {
  /// Judges the read of several documents.
  ///
  /// - Throws: `permissionDenied` if one of them is refused; the store's error.
  func check(
    _ documents: [DocumentSnapshot], in snapshot: DatabaseSnapshot
  ) throws(DatabaseError) {
    var judgement = judgement(in: snapshot)
    for document in documents { try judgement.get(document) }
    try judgement.check()
  }
}
