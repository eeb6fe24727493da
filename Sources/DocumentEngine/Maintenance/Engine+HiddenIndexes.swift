package import DocumentModel
package import QueryPlanning

extension Engine {
  /// Hides a composite index from queries, or shows it again. Writes keep it up all the same, so
  /// that it can be used again at once: to see what would happen if it were dropped.
  ///
  /// Listeners follow as they follow a drop: one that only this index served fails. Whoever reads
  /// in a view from before goes on with the index.
  ///
  /// - Complexity: none; nothing if the index is as it is wanted.
  /// - Throws: `notFound`.
  package func setHidden(
    _ isHidden: Bool, _ definition: IndexDefinition
  ) throws(DatabaseError) {
    try administering { () throws(DatabaseError) in
      try commitExclusively { group in
        let composites = group.catalog.indexes.composites
        guard let index = composites.first(where: { $0.definition == definition }) else {
          throw DatabaseError(.notFound, "The index doesn't exist.")
        }
        guard index.isHidden != isHidden else { return }
        group.updateComposites { composite in
          var composite = composite
          if composite.id == index.id { composite.isHidden = isHidden }
          return composite
        }
      }
    }
  }
}
