public import DocumentModel
public import QueryPlanning
import DocumentEngine

/// What makes queries faster and changes no verdict: it is kept by this database, and is no part of
/// `firestore.indexes.json`.
extension IndexAdministration {
  /// The number of documents with each combination of values of some fields, kept as they are
  /// written.
  public struct KeptCounts: Sendable, Hashable {
    /// The id of the collections whose documents are counted.
    public let collectionGroup: String
    /// Whether each of them is counted by itself, or all of the id together.
    public let scope: QueryScope
    /// The fields by whose values documents are counted; none for all documents.
    public let fields: [FieldPath]
    /// Whether queries use the counts already.
    public let state: IndexState
    /// Whether they were dropped, and that was broken off or goes on: queries don't use them, and
    /// dropping them again deletes what is left.
    public let isBeingDropped: Bool
  }

  /// Lets the entries of a composite index carry their documents, or no longer.
  ///
  /// A page of results then needs no document read. It costs the documents' bytes once more in the
  /// index, and every write of a document rewrites its entries there. A document of more than 4 KiB
  /// is left out of its entries, and read.
  ///
  /// ```swift
  /// try database.indexes.tune(newest, covering: true)
  /// ```
  ///
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `notFound`; `failedPrecondition` for an index that is being built;
  ///   `invalidArgument` for a vector index or one of array elements.
  public func tune(
    _ definition: IndexDefinition, covering isCovering: Bool,
    progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.setCovering(isCovering, of: definition) { progress(Progress($0)) }
    }
  }

  /// The same, without blocking the calling thread.
  public func tune(
    _ definition: IndexDefinition, covering isCovering: Bool,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.tune(definition, covering: isCovering, progress: progress)
    }
  }

  /// Keeps counts of the documents by the values of some fields, those that are there included.
  ///
  /// A count over equalities on exactly these fields then costs one read, however many documents
  /// there are. It costs each write that changes one of the fields a rewrite of up to two counts.
  ///
  /// ```swift
  /// try database.indexes.keepCounts(
  ///   of: [FieldPath("userID"), FieldPath("isDone")], in: "tasks")
  /// ```
  ///
  /// - Parameters:
  ///   - fields: in any order; none for the number of all documents.
  ///   - collectionGroup: the id of the collections.
  ///   - scope: whether each collection is counted by itself, or all of the id together.
  ///   - progress: is told how far the first counting is.
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `alreadyExists`; `invalidArgument` for `__name__`.
  public func keepCounts(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope = .collection,
    progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    let definition = DocumentEngine.KeptCounts.Definition(collectionGroup, fields, scope: scope)
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.keepCounts(definition) { progress(Progress($0)) }
    }
  }

  /// The same, without blocking the calling thread.
  public func keepCounts(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope = .collection,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.keepCounts(of: fields, in: collectionGroup, scope: scope, progress: progress)
    }
  }

  /// Stops keeping counts, and deletes them.
  ///
  /// - Complexity: the combinations of values.
  /// - Throws: `notFound`.
  public func dropCounts(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope = .collection
  ) throws(DatabaseError) {
    let definition = DocumentEngine.KeptCounts.Definition(collectionGroup, fields, scope: scope)
    try database.observed(.indexDrop) { () throws(DatabaseError) in
      try database.engine.dropCounts(definition)
    }
  }

  /// The same, without blocking the calling thread.
  public func dropCounts(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope = .collection
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.dropCounts(of: fields, in: collectionGroup, scope: scope)
    }
  }

  /// The counts that are kept, those that are being made or dropped too.
  public func keptCounts() throws(DatabaseError) -> [KeptCounts] {
    try database.engine.readView().catalog.tunings.counts.map { counts in
      KeptCounts(
        collectionGroup: counts.definition.collectionGroup, scope: counts.definition.scope,
        fields: counts.definition.fields, state: counts.state == .ready ? .ready : .creating,
        isBeingDropped: counts.state == .retiring)
    }
  }

  /// The same, without blocking the calling thread.
  public func keptCounts() async throws(DatabaseError) -> [KeptCounts] {
    try await Blocking.run { () throws(DatabaseError) in try self.keptCounts() }
  }

  /// Keeps sums of the index entries, of every index, from now on or no longer: with them
  /// ``Database/verifyQuickly(sampleCount:seed:progress:)`` finds out whether a write ever forgot
  /// an entry, or left one behind.
  ///
  /// It costs each write that all entries of the document are made once more, before and after;
  /// <doc:Performance> tells how to measure that. An index that is created later is summed up in
  /// the background once it is built.
  ///
  /// - Parameters:
  ///   - keepsSums: whether they are kept, or deleted.
  ///   - progress: is told how many of the documents that are there have been read.
  /// - Complexity: every document and entry is read once; nothing for `false`.
  /// - Throws: `dataLoss` for a document that can't be read.
  public func keepSums(
    _ keepsSums: Bool = true, progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.engine.keepSums(keepsSums, progress)
  }

  /// The same, without blocking the calling thread.
  public func keepSums(
    _ keepsSums: Bool = true, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.keepSums(keepsSums, progress: progress)
    }
  }

  /// Whether sums of the index entries are kept.
  public func keepsSums() throws(DatabaseError) -> Bool {
    try database.engine.readView().catalog.tunings.keepsSums
  }

  /// The same, without blocking the calling thread.
  public func keepsSums() async throws(DatabaseError) -> Bool {
    try await Blocking.run { () throws(DatabaseError) in try self.keepsSums() }
  }
}
