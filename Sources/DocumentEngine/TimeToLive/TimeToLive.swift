package import DocumentModel
package import QueryPlanning

/// That documents of a collection group go once the time in one of their fields, and an offset, are
/// past (§3.9).
///
/// They are found by an index of its own over the field, which writers maintain and no query sees.
package struct TimeToLive: Sendable, Hashable {
  /// What the offset may be, in seconds.
  package static let offsets = 0...2_147_483_647

  /// Over the field, ascending, of all collections of the group. It holds what isn't a time too.
  let index: CompositeIndex
  package let field: FieldPath
  package let offsetSeconds: Int

  init(
    id: UInt64, _ collectionGroup: String, _ field: FieldPath, offsetSeconds: Int,
    state: IndexState
  ) {
    let definition = IndexDefinition(
      collectionGroup, [IndexColumn(field, .ascending)], scope: .collectionGroup)
    index = CompositeIndex(id: id, definition: definition, state: state)
    self.field = field
    self.offsetSeconds = offsetSeconds
  }

  package var collectionGroup: String { index.definition.collectionGroup }
  /// Whether documents go by it; while the index is being built, none does.
  package var state: IndexState { index.state }

  func with(_ state: IndexState) -> TimeToLive {
    TimeToLive(
      id: index.id, collectionGroup, field, offsetSeconds: offsetSeconds, state: state)
  }

  func with(offsetSeconds: Int) -> TimeToLive {
    TimeToLive(
      id: index.id, collectionGroup, field, offsetSeconds: offsetSeconds, state: state)
  }

  /// The first time in the field that isn't past yet; `nil` if no time can be.
  func bound(at now: Timestamp) -> Timestamp? {
    let offset = Int64(offsetSeconds) * 1_000_000
    return try? Timestamp(microseconds: now.microseconds - offset)
  }

  /// Whether `document` may be deleted.
  func isDue(_ document: Document, at now: Timestamp) -> Bool {
    guard case .timestamp(let time) = document.fields[field], let bound = bound(at: now) else {
      return false
    }
    return time < bound
  }
}

extension CommitGroup {
  /// Changes every time to live, or takes it out of the catalogue for `nil`.
  mutating func updateTimesToLive(_ change: (TimeToLive) -> TimeToLive?) {
    replaceCatalog(catalog.with { $0.timesToLive = $0.timesToLive.compactMap(change) })
  }
}
