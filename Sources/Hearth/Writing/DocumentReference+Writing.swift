public import DocumentModel
import DocumentEngine

extension DocumentReference {
  /// Creates the document; `alreadyExists` if there is one.
  ///
  /// - Throws: `alreadyExists`; `invalidArgument` for a broken limit or rule (§1.2), or what the
  ///   store reports. So do all writes.
  @discardableResult
  public func create(_ data: FieldData) throws(DatabaseError) -> WriteResult {
    try commit(.creating(path, data))
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func create(_ data: FieldData) async throws(DatabaseError) -> WriteResult {
    try await commit(.creating(path, data))
  }

  /// Creates the document or replaces it; with `merge`, `data` is merged into it: maps merge,
  /// everything else is replaced (§7.1).
  @discardableResult
  public func setData(
    _ data: FieldData, merge: Bool = false
  ) throws(DatabaseError) -> WriteResult {
    try commit(.setting(path, data, merge: merge))
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func setData(
    _ data: FieldData, merge: Bool = false
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.setting(path, data, merge: merge))
  }

  /// Creates the document, or replaces in it the given fields alone (§7.1).
  ///
  /// - Parameters:
  ///   - data: the fields; those that aren't named by `mergeFields` are passed over.
  ///   - mergeFields: paths such as `address.city`.
  /// - Throws: `invalidArgument` for a path that `data` doesn't have, or a malformed one.
  @discardableResult
  public func setData(
    _ data: FieldData, mergeFields: [String]
  ) throws(DatabaseError) -> WriteResult {
    try commit(.setting(path, data, mergeFields: mergeFields))
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func setData(
    _ data: FieldData, mergeFields: [String]
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.setting(path, data, mergeFields: mergeFields))
  }

  /// Changes some fields of a document that exists (§7.1).
  ///
  /// The names in `changes` are field paths: `address.city` sets one field inside a map.
  ///
  /// - Parameters:
  ///   - changes: what each path gets; ``FieldValue/delete`` removes it.
  ///   - precondition: what must hold for the document besides (§7.2).
  /// - Throws: `notFound` if there is no document; `failedPrecondition` if it was changed at
  ///   another time than the precondition says.
  @discardableResult
  public func updateData(
    _ changes: FieldData, if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) -> WriteResult {
    try commit(.updating(path, changes, if: precondition))
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func updateData(
    _ changes: FieldData, if precondition: Precondition = .exists(true)
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.updating(path, changes, if: precondition))
  }

  /// Changes some fields of a document that exists, by paths that are no text.
  @discardableResult
  public func updateData(
    _ changes: [(FieldPath, FieldValue)], if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) -> WriteResult {
    try commit(.updating(path, changes, if: precondition))
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func updateData(
    _ changes: [(FieldPath, FieldValue)], if precondition: Precondition = .exists(true)
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.updating(path, changes, if: precondition))
  }

  /// Deletes the document, if there is one. What lies below it stays (§1.1).
  ///
  /// - Parameter precondition: what must hold for the document (§7.2).
  /// - Throws: `notFound` or `failedPrecondition` if it doesn't.
  @discardableResult
  public func delete(if precondition: Precondition? = nil) throws(DatabaseError) -> WriteResult {
    try commit(.delete(path, precondition))
  }

  /// The same, without blocking the calling thread.
  @discardableResult
  public func delete(
    if precondition: Precondition? = nil
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.delete(path, precondition))
  }

  func commit(_ write: Write) throws(DatabaseError) -> WriteResult {
    try database.commit([write])[0]
  }

  func commit(_ write: Write) async throws(DatabaseError) -> WriteResult {
    try await database.commit([write])[0]
  }
}

// MARK: - Values alone

// A literal is field data. What was read from a document is a map of values, and written as it is.
extension DocumentReference {
  /// The same with fields that are values alone, such as those that were read.
  @_disfavoredOverload @discardableResult
  public func create(_ fields: MapValue) throws(DatabaseError) -> WriteResult {
    try commit(.create(path, fields))
  }

  /// The same, without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func create(_ fields: MapValue) async throws(DatabaseError) -> WriteResult {
    try await commit(.create(path, fields))
  }

  /// The same with fields that are values alone, such as those that were read.
  @_disfavoredOverload @discardableResult
  public func setData(
    _ fields: MapValue, merge: Bool = false
  ) throws(DatabaseError) -> WriteResult {
    try commit(merge ? .merge(path, fields) : .set(path, fields))
  }

  /// The same, without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func setData(
    _ fields: MapValue, merge: Bool = false
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(merge ? .merge(path, fields) : .set(path, fields))
  }

  /// The same with fields that are values alone, such as those that were read.
  @_disfavoredOverload @discardableResult
  public func updateData(
    _ changes: MapValue, if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) -> WriteResult {
    try updateData(FieldData(changes), if: precondition)
  }

  /// The same, without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func updateData(
    _ changes: MapValue, if precondition: Precondition = .exists(true)
  ) async throws(DatabaseError) -> WriteResult {
    try await updateData(FieldData(changes), if: precondition)
  }
}
