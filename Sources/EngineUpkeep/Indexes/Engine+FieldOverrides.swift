package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
package import HearthReports
import HearthStorageFormat

extension Engine {
  /// Replaces the single-field indexes of a field, or of every field (`nil`) without an override of
  /// its own, and builds the new ones (§3.3).
  ///
  /// Indexes that stay are usable throughout, removed ones are unusable at once, and new ones are
  /// usable when this returns. An interrupted change is finished first. If a document can't be
  /// indexed, the change is taken back.
  ///
  /// - Complexity: every document of the collection group is read once if entries come or go.
  /// - Throws: `invalidArgument` for a document that then can't be indexed.
  package func setOverride(
    _ collectionGroup: String, _ field: FieldPath?, _ indexes: [SingleFieldIndex],
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    _ = try ResourcePath.validated(collectionGroup, isCollection: true)
    guard field != .documentID else {
      throw .invalidArgument("The index of __name__ is built in and can't be changed.")
    }
    let name = OverrideName(collectionGroup, field)
    try change(name, progress) { group in
      group.change(name, to: indexes, isReverting: false, keepsEarlier: true)
    }
  }

  /// Removes an override. The field has the indexes again that hold without it (§3.3).
  ///
  /// - Complexity: the same as `setOverride`.
  /// - Throws: `notFound`; the same as `setOverride`.
  package func removeOverride(
    _ collectionGroup: String, _ field: FieldPath?, progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    let name = OverrideName(collectionGroup, field)
    try change(name, progress) { group in
      guard group.catalog.override(name) != nil else {
        throw DatabaseError(.notFound, "The field has no override.")
      }
      let inherited = group.catalog.indexes.inherited(name)
      group.change(name, to: inherited, isReverting: true, keepsEarlier: true)
    }
  }

  /// Changes an override and builds its new indexes. Waits until no other change is unfinished,
  /// since this one would no longer find the entries that the other leaves behind.
  private func change(
    _ name: OverrideName, _ progress: (BuildProgress) -> Void,
    _ begin: @escaping @Sendable (inout CommitDraft) throws -> Void
  ) throws(DatabaseError) {
    try process.check()
    let builds = builds
    while true {
      let changeCount = buildState.jobs.withLock { $0.ledger.changeCount }
      let begun = try administering { () throws(DatabaseError) -> Begun? in
        // An earlier change of the field is known to have ended before this one begins.
        let catalog = latest.catalog
        guard !catalog.indexes.overrides.contains(where: catalog.isUnfinished) else { return nil }
        try commitExclusively { try begin(&$0) }
        return Begun(number: builds.number(of: .override(name)))
      }
      guard let begun else {
        try builds.advance(unlessChangedSince: changeCount)
        continue
      }
      guard let number = begun.number else { return }
      try builds.wait(for: number, isFollowed: true, progress)
      return
    }
  }

  /// A change that is in the catalogue.
  private struct Begun {
    /// The number of its build; `nil` if nothing has to be built.
    let number: Int?
  }
}
