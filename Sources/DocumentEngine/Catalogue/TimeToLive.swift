package import HearthDocumentModel
package import HearthQueryPlanning

/// A time to live: documents of a collection group are deleted once the time in one of their
/// fields, plus an offset, is past (§3.9).
///
/// An index of its own over the field finds them. Writers maintain it, and no query uses it.
package struct TimeToLive: Sendable, Hashable {
  /// The valid offsets, in seconds.
  package static let offsets = 0...2_147_483_647

  /// The index over the field, ascending, of all collections of the group. It also holds values
  /// that are no times.
  package let index: CompositeIndex
  package let field: FieldPath
  package let offsetSeconds: Int

  package init(
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
  /// The state of the index. Documents are deleted only once it is ready.
  package var state: IndexState { index.state }

  package func with(_ state: IndexState) -> TimeToLive {
    TimeToLive(
      id: index.id, collectionGroup, field, offsetSeconds: offsetSeconds, state: state)
  }

  package func with(offsetSeconds: Int) -> TimeToLive {
    TimeToLive(
      id: index.id, collectionGroup, field, offsetSeconds: offsetSeconds, state: state)
  }

  /// Returns the first time in the field that isn't past yet; `nil` if no time can be past.
  package func bound(at now: Timestamp) -> Timestamp? {
    let offset = Int64(offsetSeconds) * 1_000_000
    return try? Timestamp(microseconds: now.microseconds - offset)
  }

  /// Whether `document` may be deleted.
  package func isDue(_ document: Document, at now: Timestamp) -> Bool {
    guard case .timestamp(let time) = document.fields[field], let bound = bound(at: now) else {
      return false
    }
    return time < bound
  }
}
