import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

extension CommitDraft {
  /// Adds an index to the catalogue for building. If it is being built already and is paused,
  /// resumes it.
  ///
  /// - Parameter allowsReady: whether a ready index is returned as it is.
  mutating func register(
    _ definition: IndexDefinition, allowsReady: Bool = false
  ) throws -> CompositeIndex {
    let composites = catalog.indexes.composites
    if let known = composites.first(where: { $0.definition == definition }) {
      if known.state == .ready, allowsReady { return known }
      guard known.state == .creating else {
        throw DatabaseError(.alreadyExists, "index already exists")
      }
      updateComposite(known.id) { $0.isPaused = false }
      return known
    }
    guard composites.count < Limits.compositeIndexesPerDatabase else {
      throw DatabaseError(
        .resourceExhausted,
        "The database has \(composites.count) composite indexes and may not have more.")
    }
    let index = CompositeIndex(id: takeIndexID(), definition: definition, state: .creating)
    replaceCatalog(catalog.with { $0.indexes.composites.append(index) })
    return index
  }

  /// Takes indexes out of the catalogue. Their entries are still to be deleted.
  mutating func drop(_ ids: Set<UInt64>) {
    let present = catalog.indexes.composites.map(\.id).filter(ids.contains)
    guard !present.isEmpty else { return }
    for id in present { delete(StorageKey.checkpoint(compositeID: id)) }
    replaceCatalog(
      catalog.with { contents in
        contents.indexes.composites.removeAll { ids.contains($0.id) }
        contents.droppedIDs += present
      })
  }

  /// Changes a composite index. The catalogue stays the same if that changes nothing.
  mutating func updateComposite(_ id: UInt64, _ change: (inout CompositeIndex) -> Void) {
    let composites = catalog.indexes.composites
    guard let place = composites.firstIndex(where: { $0.id == id }) else { return }
    var index = composites[place]
    change(&index)
    guard index != composites[place] else { return }
    replaceCatalog(catalog.with { $0.indexes.composites[place] = index })
  }
}
