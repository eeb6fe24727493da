public import HearthDocumentModel

extension CollectionReference {
  /// Creates a document with a new id.
  ///
  /// - Throws: `invalidArgument`, or the store's error.
  @discardableResult
  public func addDocument(_ data: FieldData) throws(DatabaseError) -> DocumentReference {
    let document = document()
    try document.create(data)
    return document
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func addDocument(_ data: FieldData) async throws(DatabaseError) -> DocumentReference {
    let document = document()
    try await document.create(data)
    return document
  }

  // A literal is field data.
  /// Creates a document with a new id from plain values, such as fields that were read.
  @_disfavoredOverload @discardableResult
  public func addDocument(_ fields: MapValue) throws(DatabaseError) -> DocumentReference {
    let document = document()
    try document.create(fields)
    return document
  }

  /// Does the same without blocking the calling thread.
  @_disfavoredOverload @discardableResult
  public func addDocument(_ fields: MapValue) async throws(DatabaseError) -> DocumentReference {
    let document = document()
    try await document.create(fields)
    return document
  }
}
