public import HearthDocumentModel

extension TypedCollection {
  // MARK: Whole documents

  /// Creates a document with a new id from `element`.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold, or for a broken limit or rule (§1.2); or the store's error. All writes throw the
  ///   same.
  @discardableResult
  public func add(_ element: Element) throws(DatabaseError) -> DocumentReference {
    try collection.addDocument(from: element, encoder: Element.documentEncoder)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func add(_ element: Element) async throws(DatabaseError) -> DocumentReference {
    try await collection.addDocument(from: element, encoder: Element.documentEncoder)
  }

  /// Creates the document with an id from `element`; throws `alreadyExists` if there is one.
  @discardableResult
  public func create(_ element: Element, id: String) throws(DatabaseError) -> WriteResult {
    try document(id).create(from: element, encoder: Element.documentEncoder)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func create(_ element: Element, id: String) async throws(DatabaseError) -> WriteResult {
    try await document(id).create(from: element, encoder: Element.documentEncoder)
  }

  /// Creates the document with an id from `element` or replaces it. With `merge`, the fields of
  /// `element` are merged into the document (§7.1), so that a property that is `nil` leaves the
  /// stored field as it is.
  @discardableResult
  public func set(
    _ element: Element, id: String, merge: Bool = false
  ) throws(DatabaseError) -> WriteResult {
    try document(id).setData(from: element, merge: merge, encoder: Element.documentEncoder)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func set(
    _ element: Element, id: String, merge: Bool = false
  ) async throws(DatabaseError) -> WriteResult {
    try await document(id).setData(from: element, merge: merge, encoder: Element.documentEncoder)
  }

  /// Creates or replaces the document with the id that `element` itself has, if the type's keys
  /// name the property.
  ///
  /// - Throws: also `invalidArgument` if `element` has no id.
  @discardableResult
  public func set(_ element: Element, merge: Bool = false) throws(DatabaseError) -> WriteResult {
    try set(element, id: ownID(of: element), merge: merge)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func set(
    _ element: Element, merge: Bool = false
  ) async throws(DatabaseError) -> WriteResult {
    try await set(element, id: ownID(of: element), merge: merge)
  }

  private func ownID(of element: Element) throws(DatabaseError) -> String {
    guard let id = Element.fieldKeys.id else {
      throw .invalidArgument(
        "\(Element.self).fieldKeys names no property that is the document's id.")
    }
    guard let id = id(element) else {
      throw .invalidArgument("The \(Element.self) has no id: add it, or give it one.")
    }
    return id
  }

  // MARK: Fields

  /// Changes some fields of an existing document (§7.1).
  ///
  /// - Throws: `notFound` if there is no document; `failedPrecondition` if its last change was at
  ///   another time than the precondition says; `invalidArgument` for two changes of one field.
  @discardableResult
  public func update(
    _ id: String, _ changes: TypedChange<Element>...,
    if precondition: Precondition = .exists(true)
  ) throws(DatabaseError) -> WriteResult {
    try document(id).updateData(changes.map { ($0.field, $0.value) }, if: precondition)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func update(
    _ id: String, _ changes: TypedChange<Element>...,
    if precondition: Precondition = .exists(true)
  ) async throws(DatabaseError) -> WriteResult {
    try await document(id).updateData(changes.map { ($0.field, $0.value) }, if: precondition)
  }

  /// Deletes a document if it exists and the condition holds for it.
  @discardableResult
  public func delete(
    _ id: String, if precondition: Precondition? = nil
  ) throws(DatabaseError) -> WriteResult {
    try document(id).delete(if: precondition)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func delete(
    _ id: String, if precondition: Precondition? = nil
  ) async throws(DatabaseError) -> WriteResult {
    try await document(id).delete(if: precondition)
  }
}
