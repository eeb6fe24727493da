package import DocumentModel
import OrderedStore
package import QueryPlanning
import StorageFormat

extension Engine {
  /// Creates a composite index and builds it. An index that is still being built is built to its
  /// end.
  ///
  /// Queries may use it when this returns. If a document can't be indexed, the index is dropped
  /// again.
  ///
  /// - Complexity: every document of the collection group is read once; for `progress` their names
  ///   are counted before.
  /// - Throws: `alreadyExists`; `invalidArgument` for a definition that production refuses (§3.4)
  ///   or a document that can't be indexed; `resourceExhausted` for too many indexes (§1.2).
  package func createIndex(
    _ definition: IndexDefinition, progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    try createIndex(definition, isFollowed: true, progress)
  }

  /// The same, with nobody who is told how far it is.
  package func createIndex(_ definition: IndexDefinition) throws(DatabaseError) {
    try createIndex(definition, isFollowed: false) { _ in }
  }

  private func createIndex(
    _ definition: IndexDefinition, isFollowed: Bool, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    try definition.validate()
    try administering { () throws(DatabaseError) in
      try finishDrops()
      let index = try commitExclusively { try Engine.register(definition, &$0) }
      do throws(DatabaseError) {
        try IndexBuilder(engine: self, target: .composite(index))
          .run(isFollowed: isFollowed, progress)
      } catch {
        guard error.code == .invalidArgument else { throw error }
        try drop(definition)
        throw error
      }
      try commitExclusively { group in
        group.updateComposites { $0.id == index.id ? $0.with(.ready) : $0 }
      }
    }
  }

  private static func register(
    _ definition: IndexDefinition, _ group: inout CommitGroup
  ) throws -> CompositeIndex {
    let composites = group.catalog.indexes.composites
    if let known = composites.first(where: { $0.definition == definition }) {
      guard known.state == .creating else {
        throw DatabaseError(.alreadyExists, "index already exists")
      }
      return known
    }
    guard composites.count < Limits.compositeIndexesPerDatabase else {
      throw DatabaseError(
        .resourceExhausted,
        "The database has \(composites.count) composite indexes and may not have more.")
    }
    let index = CompositeIndex(id: group.takeIndexID(), definition: definition, state: .creating)
    group.replaceCatalog(group.catalog.with { $0.indexes.composites.append(index) })
    return index
  }

  /// Drops a composite index: queries stop using it at once, then its entries are deleted.
  ///
  /// - Complexity: its entries.
  /// - Throws: `notFound`.
  package func dropIndex(_ definition: IndexDefinition) throws(DatabaseError) {
    try administering { () throws(DatabaseError) in try drop(definition) }
  }

  private func drop(_ definition: IndexDefinition) throws(DatabaseError) {
    try commitExclusively { group in
      guard
        let index = group.catalog.indexes.composites.first(where: { $0.definition == definition })
      else { throw DatabaseError(.notFound, "The index doesn't exist.") }
      group.delete(StorageKey.checkpoint(compositeID: index.id))
      group.updateComposites { $0.id == index.id ? nil : $0 }
      group.replaceCatalog(group.catalog.with { $0.droppedIDs.append(index.id) })
    }
    try finishDrops()
  }

  /// Deletes what is left of dropped indexes, also of those whose dropping was broken off.
  func finishDrops() throws(DatabaseError) {
    for id in try readView().catalog.droppedIDs {
      let entries = KeyRange.prefix(StorageKey.compositePrefix(id: id))
      try deleteAll(entries)
      try commitExclusively { group in
        group.replaceCatalog(group.catalog.with { $0.droppedIDs.removeAll { $0 == id } })
      }
      // A scan that ends at a deleted range would cross all of it.
      try reportingErrors { try store.compact(from: entries.lower, to: entries.upper) }
    }
  }

  /// Deletes a range of keys, chunk by chunk.
  func deleteAll(_ range: KeyRange) throws(DatabaseError) {
    var isDone = false
    while !isDone {
      isDone = try commitExclusively { group in
        var count = 0
        try group.view.snapshot.forEachEntry(in: range) { key, _ in
          group.delete([UInt8](copying: key))
          count += 1
          return count < 10_000
        }
        return count < 10_000
      }
    }
  }
}

extension CommitGroup {
  /// Changes every composite index, or takes it out of the catalogue for `nil`.
  mutating func updateComposites(_ change: (CompositeIndex) -> CompositeIndex?) {
    replaceCatalog(
      catalog.with { $0.indexes.composites = $0.indexes.composites.compactMap(change) })
  }
}

extension CompositeIndex {
  fileprivate func with(_ state: IndexState) -> CompositeIndex {
    CompositeIndex(id: id, definition: definition, state: state)
  }
}
