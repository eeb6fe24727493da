import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthQueryPlanning
public import HearthReports

/// Settings that make queries faster without changing which of them can run. This database keeps
/// them; they are not in `firestore.indexes.json`.
extension IndexAdministration {
  /// Counts of the documents with each combination of values of some fields. Writes keep them up to
  /// date.
  public struct KeptCounts: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case collectionGroup
      case scope = "queryScope"
      case fieldNames = "fields"
      case state, isBeingDropped
    }

    /// Id of the collections whose documents are counted.
    public let collectionGroup: String
    /// Scope of the counts: each collection by itself, or all collections of the id together.
    public let scope: QueryScope
    fileprivate let fieldNames: [FieldNames]
    /// State of the counts, which tells whether queries use them yet.
    public let state: IndexState
    /// Whether the counts were dropped, and the drop is still running or was interrupted. Queries
    /// don't use them, and dropping them again deletes the rest.
    public let isBeingDropped: Bool

    /// Fields by whose values documents are counted; empty for the number of all documents.
    public var fields: [FieldPath] { fieldNames.map(\.names) }
  }

  /// Makes the entries of a composite index carry their documents, or stops it.
  ///
  /// A page of results then needs no document reads. The cost is that the index also stores the
  /// documents' bytes, and that every write of a document rewrites its entries there. Documents of
  /// more than 4 KiB are not stored in entries, and are still read.
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
      try database.engine.setCovering(isCovering, of: definition, progress: progress)
    }
  }

  /// Does the same without blocking the calling thread.
  public func tune(
    _ definition: IndexDefinition, covering isCovering: Bool,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.tune(definition, covering: isCovering, progress: progress)
    }
  }

  /// Keeps counts of the documents by the values of some fields, including the existing documents.
  ///
  /// A count over equalities on exactly these fields then costs one read, independent of the number
  /// of documents. In return, each write that changes one of the fields rewrites up to two counts.
  ///
  /// ```swift
  /// try database.indexes.keepCounts(
  ///   of: [FieldPath("userID"), FieldPath("isDone")], in: "tasks")
  /// ```
  ///
  /// - Parameters:
  ///   - fields: the fields, in any order; empty for the number of all documents.
  ///   - collectionGroup: the id of the collections.
  ///   - scope: whether each collection is counted by itself, or all collections of the id
  ///     together.
  ///   - progress: receives the progress of the first count.
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `alreadyExists`; `invalidArgument` for `__name__`.
  public func keepCounts(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope = .collection,
    progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    let definition = HearthDocumentEngine.KeptCounts.Definition(
      collectionGroup, fields, scope: scope)
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.keepCounts(definition, progress: progress)
    }
  }

  /// Does the same without blocking the calling thread.
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
  /// - Complexity: the number of combinations of values.
  /// - Throws: `notFound`.
  public func dropCounts(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope = .collection
  ) throws(DatabaseError) {
    let definition = HearthDocumentEngine.KeptCounts.Definition(
      collectionGroup, fields, scope: scope)
    try database.observed(.indexDrop) { () throws(DatabaseError) in
      try database.engine.dropCounts(definition)
    }
  }

  /// Does the same without blocking the calling thread.
  public func dropCounts(
    of fields: [FieldPath], in collectionGroup: String, scope: QueryScope = .collection
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.dropCounts(of: fields, in: collectionGroup, scope: scope)
    }
  }

  /// Returns the kept counts, including those that are being made or dropped.
  public func keptCounts() throws(DatabaseError) -> [KeptCounts] {
    try database.engine.readView().catalog.tunings.counts.map { counts in
      KeptCounts(
        collectionGroup: counts.definition.collectionGroup, scope: counts.definition.scope,
        fieldNames: counts.definition.fields.map(FieldNames.init),
        state: counts.state == .ready ? .ready : .creating,
        isBeingDropped: counts.state == .retiring)
    }
  }

  /// Does the same without blocking the calling thread.
  public func keptCounts() async throws(DatabaseError) -> [KeptCounts] {
    try await Blocking.run { () throws(DatabaseError) in try self.keptCounts() }
  }

  /// Begins or ends keeping sums of the index entries of every index. With them,
  /// ``Database/verifyQuickly(sampleCount:seed:progress:)`` finds out whether a write ever missed
  /// an entry, or left one in place.
  ///
  /// In return, each write makes all entries of its document once more, before and after the
  /// change; <doc:Performance> shows how to measure that. An index that is created later is summed
  /// in the background once it is built.
  ///
  /// - Parameters:
  ///   - keepsSums: whether sums are kept; otherwise they are deleted.
  ///   - progress: receives the number of existing documents read.
  /// - Complexity: every document and entry is read once; nothing for `false`.
  /// - Throws: `dataLoss` for a document that can't be read.
  public func keepSums(
    _ keepsSums: Bool = true, progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.engine.keepSums(keepsSums, progress)
  }

  /// Does the same without blocking the calling thread.
  public func keepSums(
    _ keepsSums: Bool = true, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.keepSums(keepsSums, progress: progress)
    }
  }

  /// Returns whether sums of the index entries are kept.
  public func keepsSums() throws(DatabaseError) -> Bool {
    try database.engine.readView().catalog.tunings.keepsSums
  }

  /// Does the same without blocking the calling thread.
  public func keepsSums() async throws(DatabaseError) -> Bool {
    try await Blocking.run { () throws(DatabaseError) in try self.keepsSums() }
  }
}

/// A field in a list of fields, as messages have it.
struct FieldNames: Codable, Hashable {
  let names: FieldPath
}
