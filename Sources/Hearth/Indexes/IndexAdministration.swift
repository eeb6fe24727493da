import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthQueryPlanning
public import HearthReports

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
  public struct CompositeIndex: Sendable, Hashable, Codable {
    private enum CodingKeys: CodingKey {
      case definition, state, isCovering, isCoveringChanging, isHidden
    }

    /// Definition of the index.
    public let definition: IndexDefinition
    /// State of the index, which tells whether queries use it yet.
    public let state: IndexState
    /// Whether its entries carry their documents; see `tune`.
    public let isCovering: Bool
    /// Whether a change of `isCovering` is still running or was interrupted. Calling `tune` again
    /// completes it.
    public let isCoveringChanging: Bool
    /// Whether the index is hidden from queries, although writes maintain it; see `hide`.
    public let isHidden: Bool
    /// Number of the index, which no other index of the database ever has; 0 for one of which an
    /// application told a tool.
    package private(set) var id: UInt64 = 0
  }

  /// The single-field indexes that a field has instead of the defaults (§3.3).
  public struct FieldOverride: Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
      case collectionGroup
      case field = "names"
      case states = "indexes"
    }

    private struct IndexWithState: Codable {
      let index: SingleFieldIndex
      let state: IndexState
    }

    /// Id of the collections that the override is for.
    public let collectionGroup: String
    /// The field; `nil` is `*`: every field of the group without an override of its own.
    public let field: FieldPath?
    private let states: [IndexWithState]

    fileprivate init(
      _ collectionGroup: String, _ field: FieldPath?, _ indexes: [SingleFieldIndex: IndexState]
    ) {
      self.collectionGroup = collectionGroup
      self.field = field
      states = SingleFieldIndex.all.compactMap { index in
        indexes[index].map { IndexWithState(index: index, state: $0) }
      }
    }

    /// Indexes that the field has instead, each with its state.
    public var indexes: [SingleFieldIndex: IndexState] {
      Dictionary(states.map { ($0.index, $0.state) }, uniquingKeysWith: { $1 })
    }
  }

  /// Progress of a build.
  public typealias Progress = BuildProgress

  /// Returns the composite indexes, including those that are being built.
  public func list() throws(DatabaseError) -> [CompositeIndex] {
    let catalog = try database.engine.readView().catalog
    return catalog.indexes.composites.map { index in
      let covering = catalog.tunings.covering[index.id]
      return CompositeIndex(
        definition: index.definition, state: index.state, isCovering: covering == .ready,
        isCoveringChanging: covering != nil && covering != .ready, isHidden: index.isHidden,
        id: index.id)
    }
  }

  /// Does the same without blocking the calling thread.
  public func list() async throws(DatabaseError) -> [CompositeIndex] {
    try await Blocking.run { () throws(DatabaseError) in try self.list() }
  }

  /// Returns the fields whose single-field indexes differ from the defaults.
  public func overrides() throws(DatabaseError) -> [FieldOverride] {
    try database.engine.readView().catalog.indexes.overrides.map {
      FieldOverride($0.collectionGroup, $0.field, $0.indexes)
    }
  }

  /// Does the same without blocking the calling thread.
  public func overrides() async throws(DatabaseError) -> [FieldOverride] {
    try await Blocking.run { () throws(DatabaseError) in try self.overrides() }
  }

  /// Creates a composite index and builds it. Queries can use it when the call returns.
  ///
  /// Writers can commit between the chunks of the build. An interrupted build resumes where it was
  /// when the same index is created again. If a document can't be indexed, the index is dropped
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

  /// Does the same without blocking the calling thread.
  public func create(_ definition: IndexDefinition) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in try self.create(definition) }
  }

  /// Does the same, and calls `progress` with the progress of the build. For that, the documents
  /// are counted first.
  public func create(
    _ definition: IndexDefinition, progress: (Progress) -> Void
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.createIndex(definition, progress: progress)
    }
  }

  /// Does the same without blocking the calling thread.
  public func create(
    _ definition: IndexDefinition, progress: @escaping @Sendable (Progress) -> Void
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.create(definition, progress: progress)
    }
  }

  /// Drops a composite index. Queries stop using it at once, and then its entries are deleted.
  ///
  /// - Complexity: the number of its entries.
  /// - Throws: `notFound`.
  public func drop(_ definition: IndexDefinition) throws(DatabaseError) {
    try database.observed(.indexDrop) { () throws(DatabaseError) in
      try database.engine.dropIndex(definition)
    }
  }

  /// Does the same without blocking the calling thread.
  public func drop(_ definition: IndexDefinition) async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in try self.drop(definition) }
  }

  /// Replaces the default single-field indexes of a field. An empty list exempts the field (§3.3).
  ///
  /// - Parameters:
  ///   - indexes: all indexes that the field should have.
  ///   - field: the field; `nil` for every field of the group without an override of its own.
  ///   - collectionGroup: the id of the collections.
  ///   - progress: receives the progress of the build.
  /// - Complexity: every document of the collection group is read once if entries are added or
  ///   removed.
  /// - Throws: `invalidArgument` for a document that then can't be indexed.
  public func setOverride(
    _ indexes: [SingleFieldIndex], of field: FieldPath?, in collectionGroup: String,
    progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.setOverride(collectionGroup, field, indexes, progress: progress)
      try database.engine.compactAllDeleted()
    }
  }

  /// Does the same without blocking the calling thread.
  public func setOverride(
    _ indexes: [SingleFieldIndex], of field: FieldPath?, in collectionGroup: String,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.setOverride(indexes, of: field, in: collectionGroup, progress: progress)
    }
  }

  /// Removes an override, so that the field has the default indexes again.
  ///
  /// - Complexity: the same as `setOverride`.
  /// - Throws: `notFound`.
  public func removeOverride(
    of field: FieldPath?, in collectionGroup: String, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try database.observed(.indexBuild) { () throws(DatabaseError) in
      try database.engine.removeOverride(collectionGroup, field, progress: progress)
      try database.engine.compactAllDeleted()
    }
  }

  /// Does the same without blocking the calling thread.
  public func removeOverride(
    of field: FieldPath?, in collectionGroup: String,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.removeOverride(of: field, in: collectionGroup, progress: progress)
    }
  }

  /// Creates the index that a refused query lacks: a composite index, or a single-field index in
  /// addition to those of the field.
  ///
  /// - Complexity: every document of the collection group is read once.
  /// - Throws: the errors of `create` and `setOverride`.
  public func create(
    _ missing: MissingIndex, progress: (Progress) -> Void = { _ in }
  ) throws(DatabaseError) {
    try createOrAdd(missing.index, progress: progress)
  }

  /// Does the same without blocking the calling thread.
  public func create(
    _ missing: MissingIndex, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await createOrAdd(missing.index, progress: progress)
  }

  /// Creates a composite index, or adds a single-field index to those of its field.
  ///
  /// - Throws: the errors of `create` and `setOverride`; `alreadyExists` also for a single-field
  ///   index.
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

  /// Does the same without blocking the calling thread.
  public func createOrAdd(
    _ definition: IndexDefinition, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.createOrAdd(definition, progress: progress)
    }
  }
}

extension IndexAdministration {
  /// Returns the single-field indexes of a field, by its override or by default (§3.2, §3.3), in a
  /// fixed order.
  public func singleFieldIndexes(
    of field: FieldPath, in collectionGroup: String
  ) throws(DatabaseError) -> [(index: SingleFieldIndex, state: IndexState)] {
    let states = try database.engine.readView().catalog.indexes
      .singleFieldIndexes(of: field, in: collectionGroup)
    return SingleFieldIndex.all.compactMap { index in states[index].map { (index, $0) } }
  }

  /// Does the same without blocking the calling thread.
  public func singleFieldIndexes(
    of field: FieldPath, in collectionGroup: String
  ) async throws(DatabaseError) -> [(index: SingleFieldIndex, state: IndexState)] {
    try await Blocking.run { () throws(DatabaseError) in
      try self.singleFieldIndexes(of: field, in: collectionGroup)
    }
  }

  /// Drops a composite index, or removes a single-field index from those of its field.
  ///
  /// - Complexity: the entries of a composite index; for a single-field index, every document of
  ///   the collection group is read once.
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

  /// Does the same without blocking the calling thread.
  public func dropOrRemove(
    _ definition: IndexDefinition, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(DatabaseError) {
    try await Blocking.run(.ending) { () throws(DatabaseError) in
      try self.dropOrRemove(definition, progress: progress)
    }
  }
}

extension Database {
  /// Administration of the database's indexes.
  public var indexes: IndexAdministration { IndexAdministration(database: self) }
}
