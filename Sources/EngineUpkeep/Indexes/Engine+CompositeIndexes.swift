package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
package import HearthReports
import HearthStorageFormat

extension Engine {
  /// Creates a composite index and builds it. If the index is being built already, joins that
  /// build.
  ///
  /// Queries may use it when this returns. If a document can't be indexed, the index is dropped
  /// again.
  ///
  /// - Complexity: every document of the collection group is read once. Their names are counted
  ///   before that, for `progress`.
  /// - Throws: `alreadyExists`; `invalidArgument` for a definition that production refuses (§3.4)
  ///   or a document that can't be indexed; `resourceExhausted` for too many indexes (§1.2).
  package func createIndex(
    _ definition: IndexDefinition, progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    try createIndex(definition, isFollowed: true, progress)
  }

  /// Creates a composite index and builds it, without reporting progress.
  package func createIndex(_ definition: IndexDefinition) throws(DatabaseError) {
    try createIndex(definition, isFollowed: false) { _ in }
  }

  private func createIndex(
    _ definition: IndexDefinition, isFollowed: Bool, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let builds = builds
    for number in try builds.begin([definition]) {
      try builds.wait(for: number, isFollowed: isFollowed, progress)
    }
  }

  /// Drops a composite index. Queries stop using it at once, and then its entries are deleted. If
  /// it is being built, the build is cancelled.
  ///
  /// - Complexity: its entries.
  /// - Throws: `notFound`.
  package func dropIndex(_ definition: IndexDefinition) throws(DatabaseError) {
    guard try dropIndexes([definition]) > 0 else {
      throw DatabaseError(.notFound, "The index doesn't exist.")
    }
  }

  /// Drops those of `definitions` that exist, all in one commit, and deletes their entries. Small
  /// indexes share a commit for their entries.
  ///
  /// - Returns: the number of indexes dropped.
  /// - Complexity: their entries.
  @discardableResult
  func dropIndexes(_ definitions: Set<IndexDefinition>) throws(DatabaseError) -> Int {
    let ids = try administer { draft in
      let dropped = draft.catalog.indexes.composites.filter { definitions.contains($0.definition) }
      let ids = Set(dropped.map(\.id))
      draft.drop(ids)
      return ids
    }
    if !ids.isEmpty { try builds.finishDrops(ids) }
    return ids.count
  }

  /// Hides a composite index from queries, or shows it again. Writes still maintain a hidden index,
  /// so that it can be shown again at once. Hiding tries out what dropping it would do.
  ///
  /// Listeners follow as they follow a drop: a listener that only this index served fails. Readers
  /// with an earlier view go on with the index.
  ///
  /// - Complexity: reads nothing. Commits nothing if the index is already in the wanted state.
  /// - Throws: `notFound`.
  package func setHidden(
    _ isHidden: Bool, _ definition: IndexDefinition
  ) throws(DatabaseError) {
    try administer { draft in
      let composites = draft.catalog.indexes.composites
      guard let index = composites.first(where: { $0.definition == definition }) else {
        throw DatabaseError(.notFound, "The index doesn't exist.")
      }
      draft.updateComposite(index.id) { $0.isHidden = isHidden }
    }
  }
}
