import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthQueryPlanning

extension IndexAdministration {
  /// Hides a composite index: queries run, and are refused, as if it didn't exist. Writes still
  /// maintain it, so that `unhide` brings it back at once.
  ///
  /// Hiding is a way to try out a drop. An exported index file lists hidden indexes like all
  /// others. Listeners that only this index served fail. The error of a refused query names the
  /// index in ``MissingIndex/hidden``.
  ///
  /// ```swift
  /// try database.indexes.hide(newest)
  /// ```
  ///
  /// - Complexity: one commit, independent of the size of the index; nothing if it is hidden
  ///   already.
  /// - Throws: `notFound`; `invalidArgument` for a single-field index.
  public func hide(_ definition: IndexDefinition) throws(DatabaseError) {
    try setHidden(true, definition)
  }

  /// Does the same without blocking the calling thread.
  public func hide(_ definition: IndexDefinition) async throws(DatabaseError) {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.hide(definition) }
  }

  /// Lets queries use a hidden index again.
  ///
  /// - Complexity: one commit; nothing if the index isn't hidden.
  /// - Throws: the errors of `hide`.
  public func unhide(_ definition: IndexDefinition) throws(DatabaseError) {
    try setHidden(false, definition)
  }

  /// Does the same without blocking the calling thread.
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
