import HearthDocumentModel
import HearthQueryPlanning

extension Catalog {
  /// Whether `next`, a later catalogue, no longer maintains entries or counts that a reader of this
  /// one may have used.
  func givesUpEntries(in next: Catalog) -> Bool {
    let composites = Set(next.indexes.composites.map(\.id))
    return indexes.composites.contains { $0.state == .ready && !composites.contains($0.id) }
      || tunings.isGivenUp(in: next.tunings)
      || (indexes.overrides + next.indexes.overrides).contains { override in
        let old = states(asOf: override).filter { $0.value == .ready }.keys
        let new = next.states(asOf: override).keys
        return !AutomaticSpaces(new).isSuperset(of: AutomaticSpaces(old))
      }
  }

  /// Returns the indexes of the field that `override` is about, by this override, by another or by
  /// none.
  private func states(asOf override: FieldOverride) -> [SingleFieldIndex: IndexState] {
    let governing =
      if let field = override.field {
        indexes.override(of: field, in: override.collectionGroup)
      } else {
        indexes.overrides.first { OverrideName($0) == OverrideName(override) }
      }
    return governing?.indexes
      ?? Dictionary(uniqueKeysWithValues: SingleFieldIndex.defaults.map { ($0, .ready) })
  }
}

extension Tunings {
  /// Whether counts or covering entries that are ready here aren't maintained in `next`.
  fileprivate func isGivenUp(in next: Tunings) -> Bool {
    let settled = next.settled
    let counts = Set(settled.counts.map(\.id))
    return self.counts.contains { $0.state == .ready && !counts.contains($0.id) }
      || covering.contains { $0.value == .ready && settled.covering[$0.key] == nil }
  }
}
