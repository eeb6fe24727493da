public import DocumentModel
public import QueryPlanning
import DocumentEngine

/// The indexes of a database.
///
/// ```swift
/// try database.indexes.create(
///   IndexDefinition("cities", [
///     IndexColumn(try FieldPath("countryCode"), .ascending),
///     IndexColumn(try FieldPath("population"), .descending),
///   ]))
/// ```
public struct IndexAdministration: Sendable {
  let database: Database

  /// A composite index and its state.
  public struct CompositeIndex: Sendable, Hashable {
    /// What it is.
    public let definition: IndexDefinition
    /// Whether queries use it already.
    public let state: IndexState
    /// Whether it is kept from queries, and yet maintained; see `hide`.
    public let isHidden: Bool
    /// Whether its entries carry their documents; see `tune`.
    public let isCovering: Bool
    /// Whether a change of that was broken off, or goes on: tuning it again brings it to its end.
    public let isCoveringChanging: Bool
  }

  /// The single-field indexes that a field has in place of the defaults (§3.3).
  public struct FieldOverride: Sendable {
    /// The id of the collections that it is for.
    public let collectionGroup: String
    /// `nil` is `*`: every field of the group without an override of its own.
    public let field: FieldPath?
    /// The indexes that the field has instead, each with its state.
    public let indexes: [SingleFieldIndex: IndexState]
  }

  /// The progress of a build. Of one that was broken off, what was done before the database was
  /// opened isn't in it.
  public struct Progress: Sendable, Equatable {
    /// Documents that have been read.
    public let documentsDone: Int
    /// Documents that were to be read at the beginning.
    public let documentsTotal: Int
  }

  /// The composite indexes, those that are being built too.
  public func list() throws(DatabaseError) -> [CompositeIndex] {
    let catalog = try database.engine.readView().catalog
    return catalog.indexes.composites.map { index in
      let covering = catalog.tunings.covering[index.id]
      return CompositeIndex(
        definition: index.definition, state: index.state, isHidden: index.isHidden,
        isCovering: covering == .ready, isCoveringChanging: covering != nil && covering != .ready)
    }
  }

  /// The same, without blocking the calling thread.
  public func list() async throws(DatabaseError) -> [CompositeIndex] {
    try await Blocking.run { () throws(DatabaseError) in try self.list() }
  }

  /// The fields that have other single-field indexes than the defaults.
  public func overrides() throws(DatabaseError) -> [FieldOverride] {
    try database.engine.readView().catalog.indexes.overrides.map {
      FieldOverride(collectionGroup: $0.collectionGroup, field: $0.field, indexes: $0.indexes)
    }
  }

  /// The same, without blocking the calling thread.
  public func overrides() async throws(DatabaseError) -> [FieldOverride] {
    try await Blocking.run { () throws(DatabaseError) in try self.overrides() }
  }

  /// Creates a composite index and builds it; queries may use it when this returns.
  ///
  /// Writers go on between the chunks of the build. A build that was broken off goes on where it
  /// was when the same index is created again. If a document can't be indexed, the index is dropped
  /// again.
  ///
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: `alreadyExists`; `invalidArgument` for a definition that is refused (§3.4) or a
  ///   document that can't be indexed; `resourceExhausted` for too many indexes (§1.2).
  public func create(_ definition: IndexDefinition) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.createIndex(definition)
    }
  }

  /// The same, without blocking the calling thread.
  public func create(_ definition: IndexDefinition) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.create(definition) }
  }

  /// The same; `progress` is told how far the build is. For it the documents are counted first.
  public func create(
    _ definition: IndexDefinition, progress: (Progress) -> Void
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.createIndex(definition) { progress(Progress($0)) }
    }
  }

  /// The same, without blocking the calling thread.
  public func create(
    _ definition: IndexDefinition, progress: @escaping @Sendable (Progress) -> Void
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.create(definition, progress: progress)
    }
  }

  /// Drops a composite index: queries stop using it at once, then its entries are deleted.
  ///
  /// - Complexity: its entries.
  /// - Throws: `notFound`.
  public func drop(_ definition: IndexDefinition) throws(DatabaseError) {
    try database.observed(.indexDrop) { () throws(DatabaseError) in
      try database.engine.dropIndex(definition)
    }
  }

  /// The same, without blocking the calling thread.
  public func drop(_ definition: IndexDefinition) async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in try self.drop(definition) }
  }

  /// Gives a field other single-field indexes than the defaults: none exempts it (§3.3).
  ///
  /// - Parameters:
  ///   - indexes: all that the field is to have.
  ///   - field: `nil` for every field of the group without an override of its own.
  ///   - collectionGroup: the id of the collections.
  ///   - progress: is told how far the build is.
  /// - Complexity: every document of the collection group is read once if entries come or go.
  /// - Throws: `invalidArgument` for a document that then can't be indexed.
  public func setOverride(
    _ indexes: [SingleFieldIndex], of field: FieldPath?, in collectionGroup: String,
    progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.setOverride(collectionGroup, field, indexes) { progress(Progress($0)) }
      try database.engine.compactAllDeleted()
    }
  }

  /// The same, without blocking the calling thread.
  public func setOverride(
    _ indexes: [SingleFieldIndex], of field: FieldPath?, in collectionGroup: String,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.setOverride(indexes, of: field, in: collectionGroup, progress: progress)
    }
  }

  /// Takes an override back.
  ///
  /// - Complexity: as `setOverride`.
  /// - Throws: `notFound`.
  public func removeOverride(
    of field: FieldPath?, in collectionGroup: String, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.removeOverride(collectionGroup, field) { progress(Progress($0)) }
      try database.engine.compactAllDeleted()
    }
  }

  /// The same, without blocking the calling thread.
  public func removeOverride(
    of field: FieldPath?, in collectionGroup: String,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.removeOverride(of: field, in: collectionGroup, progress: progress)
    }
  }

  /// Creates what a refused query lacks: the composite index, or the single-field one beside those
  /// that the field has.
  ///
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: as `create` and `setOverride`.
  public func create(
    _ missing: MissingIndex, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try createOrAdd(missing.index, progress: progress)
  }

  /// The same, without blocking the calling thread.
  public func create(
    _ missing: MissingIndex, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await createOrAdd(missing.index, progress: progress)
  }

  /// Creates a composite index, or adds a single-field one to those that its field has.
  ///
  /// - Throws: as `create` and `setOverride`; `alreadyExists` too for a single-field index.
  public func createOrAdd(
    _ definition: IndexDefinition, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    guard let single = definition.singleField else {
      return try create(definition, progress: progress)
    }
    let indexes = try database.engine.readView().catalog.indexes
    let present = indexes.singleFieldIndexes(of: single.field, in: definition.collectionGroup)
    guard present[single.index] != .ready else {
      throw DatabaseError(.alreadyExists, "index already exists")
    }
    try setOverride(
      Array(Set(present.keys).union([single.index])), of: single.field,
      in: definition.collectionGroup, progress: progress)
  }

  /// The same, without blocking the calling thread.
  public func createOrAdd(
    _ definition: IndexDefinition, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.createOrAdd(definition, progress: progress)
    }
  }
}

extension IndexAdministration {
  /// The single-field indexes that a field has, by its override or by default (§3.2, §3.3), in a
  /// fixed order.
  public func singleFieldIndexes(
    of field: FieldPath, in collectionGroup: String
  ) throws(DatabaseError) -> [(index: SingleFieldIndex, state: IndexState)] {
    let states = try database.engine.readView().catalog.indexes
      .singleFieldIndexes(of: field, in: collectionGroup)
    return SingleFieldIndex.all.compactMap { index in states[index].map { (index, $0) } }
  }

  /// The same, without blocking the calling thread.
  public func singleFieldIndexes(
    of field: FieldPath, in collectionGroup: String
  ) async throws(DatabaseError) -> [(index: SingleFieldIndex, state: IndexState)] {
    try await Blocking.run { () throws(DatabaseError) in
      try self.singleFieldIndexes(of: field, in: collectionGroup)
    }
  }

  /// Drops a composite index, or takes a single-field one from those that its field has.
  ///
  /// - Complexity: the entries of a composite index; for a single-field one every document of the
  ///   collection group is read once.
  /// - Throws: `notFound`.
  public func dropOrRemove(
    _ definition: IndexDefinition, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    guard let single = definition.singleField else { return try drop(definition) }
    let group = definition.collectionGroup
    let present = try singleFieldIndexes(of: single.field, in: group).map(\.index)
    guard present.contains(single.index) else {
      throw DatabaseError(.notFound, "The index doesn't exist.")
    }
    try setOverride(
      present.filter { $0 != single.index }, of: single.field, in: group, progress: progress)
  }

  /// The same, without blocking the calling thread.
  public func dropOrRemove(
    _ definition: IndexDefinition, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in
      try self.dropOrRemove(definition, progress: progress)
    }
  }
}

extension Database {
  /// The database's indexes.
  public var indexes: IndexAdministration { IndexAdministration(database: self) }
}

extension IndexAdministration.Progress {
  init(_ progress: BuildProgress) {
    self.init(
      documentsDone: progress.documentsDone, documentsTotal: progress.documentsTotal)
  }
}
