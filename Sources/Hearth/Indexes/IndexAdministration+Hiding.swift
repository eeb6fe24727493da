public import DocumentModel
public import QueryPlanning
import DocumentEngine

extension IndexAdministration {
  /// Hides a composite index: queries run, and are refused, as if it weren't there. It is
  /// maintained all the same, so that `unhide` brings it back at once.
  ///
  /// It is the trial of a drop. The exported index file has hidden indexes like all others.
  /// Listeners that only this index served fail; a refused query names it in
  /// ``MissingIndex/hidden``.
  ///
  /// ```swift
  /// try database.indexes.hide(newest)
  /// ```
  ///
  /// - Complexity: one commit, whatever the index holds; nothing if it is hidden already.
  /// - Throws: `notFound`; `invalidArgument` for a single-field index.
  public func hide(_ definition: IndexDefinition) throws(DatabaseError) {
    try setHidden(true, definition)
  }

  /// The same, without blocking the calling thread.
  public func hide(_ definition: IndexDefinition) async throws(DatabaseError) {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.hide(definition) }
  }

  /// Lets queries use an index again that was hidden.
  ///
  /// - Complexity: one commit; nothing if the index isn't hidden.
  /// - Throws: as `hide`.
  public func unhide(_ definition: IndexDefinition) throws(DatabaseError) {
    try setHidden(false, definition)
  }

  /// The same, without blocking the calling thread.
  public func unhide(_ definition: IndexDefinition) async throws(DatabaseError) {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.unhide(definition) }
  }

  private func setHidden(_ isHidden: Bool, _ definition: IndexDefinition) throws(DatabaseError) {
    guard definition.singleField == nil else {
      throw .invalidArgument(
        "A single-field index can't be hidden. Exempt the field from it, if nothing asks for it.")
    }
    try database.engine.setHidden(isHidden, definition)
  }
}
