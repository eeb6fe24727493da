public import HearthDocumentModel
import HearthDocumentEngine

extension DocumentReference {
  /// Creates the document; throws `alreadyExists` if there is one.
  ///
  /// - Throws: `alreadyExists`; `invalidArgument` for a broken limit or rule (§1.2), or the store's
  ///   error. All writes throw the same.
  @discardableResult
  public func create(_ data: FieldData) throws(DatabaseError) -> WriteResult {
    try database.commit(.creating(path, data))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func create(_ data: FieldData) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.creating(path, data))
  }

  /// Creates the document or replaces it. With `merge`, `data` is merged into the document: maps
  /// are merged, and other values are replaced (§7.1).
  @discardableResult
  public func setData(
    _ data: FieldData, merge: Bool = false
  ) throws(DatabaseError) -> WriteResult {
    try database.commit(.setting(path, data, merge: merge))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func setData(
    _ data: FieldData, merge: Bool = false
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.setting(path, data, merge: merge))
  }

  /// Creates the document, or replaces only the given fields of it (§7.1).
  ///
  /// - Parameters:
  ///   - data: the fields. Fields that `mergeFields` doesn't name are ignored.
  ///   - mergeFields: paths such as `address.city`.
  /// - Throws: `invalidArgument` for a path that `data` doesn't have, or a malformed one.
  @discardableResult
  public func setData(
    _ data: FieldData, mergeFields: [String]
  ) throws(DatabaseError) -> WriteResult {
    try database.commit(.setting(path, data, mergeFields: mergeFields))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func setData(
    _ data: FieldData, mergeFields: [String]
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.setting(path, data, mergeFields: mergeFields))
  }

  /// Changes some fields of an existing document (§7.1).
  ///
  /// The names in `changes` are field paths: `address.city` sets one field inside a map.
  ///
  /// - Parameters:
  ///   - changes: the value or change for each path; ``FieldValue/delete`` removes the field.
  ///   - precondition: the condition that the document must satisfy (§7.2).
  /// - Throws: `notFound` if there is no document; `failedPrecondition` if its last change was at
  ///   another time than the precondition says.
  @discardableResult
  public func updateData(
    _ changes: FieldData, if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) -> WriteResult {
    try database.commit(.updating(path, changes, if: precondition))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func updateData(
    _ changes: FieldData, if precondition: Precondition = .exists(true)
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.updating(path, changes, if: precondition))
  }

  /// Changes some fields of an existing document, given as ``FieldPath``s.
  @discardableResult
  public func updateData(
    _ changes: [(FieldPath, FieldValue)], if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) -> WriteResult {
    try database.commit(.updating(path, changes, if: precondition))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func updateData(
    _ changes: [(FieldPath, FieldValue)], if precondition: Precondition = .exists(true)
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.updating(path, changes, if: precondition))
  }

  /// Deletes the document, if there is one. Documents below it stay (§1.1).
  ///
  /// - Parameter precondition: the condition that the document must satisfy (§7.2).
  /// - Throws: `notFound` or `failedPrecondition` if the document doesn't satisfy it.
  @discardableResult
  public func delete(if precondition: Precondition? = nil) throws(DatabaseError) -> WriteResult {
    try database.commit(.delete(path, precondition))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func delete(
    if precondition: Precondition? = nil
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.delete(path, precondition))
  }
}

// MARK: - Values alone

// A literal is field data. Fields that were read from a document are a map of values, and are
// written unchanged.
extension DocumentReference {
  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload @discardableResult
  public func create(_ fields: MapValue) throws(DatabaseError) -> WriteResult {
    try database.commit(.create(path, fields))
  }

  /// Does the same without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func create(_ fields: MapValue) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.create(path, fields))
  }

  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload @discardableResult
  public func setData(
    _ fields: MapValue, merge: Bool = false
  ) throws(DatabaseError) -> WriteResult {
    try database.commit(merge ? .merge(path, fields) : .set(path, fields))
  }

  /// Does the same without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func setData(
    _ fields: MapValue, merge: Bool = false
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(merge ? .merge(path, fields) : .set(path, fields))
  }

  /// Does the same with plain values, such as fields that were read.
  @_disfavoredOverload @discardableResult
  public func updateData(
    _ changes: MapValue, if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) -> WriteResult {
    try updateData(FieldData(changes), if: precondition)
  }

  /// Does the same without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func updateData(
    _ changes: MapValue, if precondition: Precondition = .exists(true)
  ) async throws(DatabaseError) -> WriteResult {
    try await updateData(FieldData(changes), if: precondition)
  }
}
