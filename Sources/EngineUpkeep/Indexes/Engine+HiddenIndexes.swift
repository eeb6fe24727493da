package import HearthDocumentEngine
package import HearthDocumentModel
package import HearthQueryPlanning

extension Engine {
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
      guard index.isHidden != isHidden else { return }
      draft.updateComposites { composite in
        var composite = composite
        if composite.id == index.id { composite.isHidden = isHidden }
        return composite
      }
    }
  }
}
