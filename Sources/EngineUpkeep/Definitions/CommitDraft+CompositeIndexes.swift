import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

extension CommitDraft {
  /// Adds indexes to the catalogue for building, in one change. One that is being built already
  /// and is paused is resumed.
  ///
  /// - Parameter allowsReady: whether a ready index is returned as it is.
  mutating func register(
    _ definitions: [IndexDefinition], allowsReady: Bool = false
  ) throws -> [CompositeIndex] {
    var composites = catalog.indexes.composites
    var places = Dictionary(
      zip(composites.map(\.definition), composites.indices), uniquingKeysWith: { first, _ in first }
    )
    let registered = try definitions.map { definition in
      if let place = places[definition] {
        guard composites[place].state == .creating || allowsReady else {
          throw DatabaseError(.alreadyExists, "index already exists")
        }
        composites[place].isPaused = false
        return composites[place]
      }
      guard composites.count < Limits.compositeIndexesPerDatabase else {
        throw DatabaseError(
          .resourceExhausted,
          "The database has \(composites.count) composite indexes and may not have more.")
      }
      let index = CompositeIndex(id: takeIndexID(), definition: definition, state: .creating)
      places[definition] = composites.count
      composites.append(index)
      return index
    }
    if composites != catalog.indexes.composites {
      replaceCatalog(catalog.with { $0.indexes.composites = composites })
    }
    return registered
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
