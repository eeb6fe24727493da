package import HearthDocumentEngine
package import HearthDocumentModel
package import HearthQueryPlanning
package import HearthReports
import HearthStorageFormat

extension Engine {
  /// Makes the entries of a composite index carry their documents, or carry them no longer. With
  /// them a page of results needs no document read.
  ///
  /// Queries use the carried documents when this returns. Writers go on between the chunks. An
  /// interrupted change goes on from its position with the next call. A document of more than 4 KiB
  /// is left out of its entries, and read.
  ///
  /// - Complexity: every document of the collection group is read once; nothing if the index is
  ///   already in the wanted state.
  /// - Throws: `notFound`; `failedPrecondition` for an index that is being built; `invalidArgument`
  ///   for a vector index, which reads documents only for the results that it has found, and for an
  ///   index of array elements, each of which would carry the document once more.
  package func setCovering(
    _ isCovering: Bool, of definition: IndexDefinition,
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    guard definition.vector == nil else {
      throw .invalidArgument("The entries of a vector index can't carry documents.")
    }
    guard !isCovering || !definition.columns.contains(where: { $0.mode == .contains }) else {
      throw .invalidArgument(
        "The entries of an index of array elements can't carry documents: "
          + "each element would have its own copy.")
    }
    let number = try administering { () throws(DatabaseError) -> Int? in
      let index = try commitExclusively {
        try Engine.beginCovering(isCovering, of: definition, &$0)
      }
      return index.flatMap { builds.number(of: .covering($0.id)) }
    }
    if let number { try builds.wait(for: number, isFollowed: true, progress) }
  }

  /// Returns the index whose entries have to be rewritten; `nil` if they are in the wanted state.
  private static func beginCovering(
    _ isCovering: Bool, of definition: IndexDefinition, _ group: inout CommitDraft
  ) throws -> CompositeIndex? {
    let composites = group.catalog.indexes.composites
    guard let index = composites.first(where: { $0.definition == definition }) else {
      throw DatabaseError(.notFound, "The index doesn't exist.")
    }
    guard index.state == .ready else {
      throw DatabaseError(.failedPrecondition, "The index is still being built.")
    }
    let state = group.catalog.tunings.covering[index.id]
    guard state != (isCovering ? .ready : nil) else { return nil }
    let wanted: TuningState = isCovering ? .creating : .retiring
    if state != wanted {
      // An earlier change went the other way, so its work has to be done again.
      group.delete(StorageKey.checkpoint(compositeID: index.id))
      group.updateTunings { $0.setCovering(wanted, ofIndex: index.id) }
    }
    return index
  }
}
