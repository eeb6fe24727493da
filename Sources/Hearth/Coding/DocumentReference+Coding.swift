public import HearthDocumentModel
import HearthDocumentEngine

extension DocumentReference {
  // MARK: Reading

  /// Returns the document as a value of `type`.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `notFound` if there is no document, unless `type` is optional; `invalidArgument`
  ///   with ``DatabaseError/codingFailure`` if the document doesn't fit; `dataLoss`; or the store's
  ///   error.
  public func getDocument<T: Decodable>(
    as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) throws(DatabaseError) -> T {
    try getDocument().data(as: type, decoder: decoder)
  }

  /// Does the same without blocking the calling thread.
  public func getDocument<T: Decodable>(
    as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) async throws(DatabaseError) -> T {
    try await getDocument().data(as: type, decoder: decoder)
  }

  // MARK: Writing

  /// Creates the document from `value`; throws `alreadyExists` if there is one.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold; the errors of `create` with fields.
  @discardableResult
  public func create<T: Encodable>(
    from value: T, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) -> WriteResult {
    try database.commit(.creating(path, encoder.encode(value, for: self)))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func create<T: Encodable>(
    from value: T, encoder: DocumentEncoder = DocumentEncoder()
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.creating(path, encoder.encode(value, for: self)))
  }

  /// Creates the document from `value` or replaces it. With `merge`, the fields of `value` are
  /// merged into the document (§7.1), so that a property that is `nil` leaves the stored field as
  /// it is.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold; the errors of `setData` with fields.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, merge: Bool = false, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) -> WriteResult {
    try database.commit(.setting(path, encoder.encode(value, for: self), merge: merge))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, merge: Bool = false, encoder: DocumentEncoder = DocumentEncoder()
  ) async throws(DatabaseError) -> WriteResult {
    try await database.commit(.setting(path, encoder.encode(value, for: self), merge: merge))
  }

  /// Creates the document from `value`, or replaces only the given fields of it (§7.1).
  ///
  /// - Parameters:
  ///   - value: the value with the fields. Fields that `mergeFields` doesn't name are ignored.
  ///   - mergeFields: paths such as `address.city`.
  ///   - encoder: the encoder that makes fields of `value`.
  /// - Throws: the errors of `setData` with fields; `invalidArgument` for a path without a field in
  ///   `value`.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, mergeFields: [String], encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) -> WriteResult {
    let data = try encoder.encode(value, for: self).data
    return try setData(data, mergeFields: mergeFields)
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, mergeFields: [String], encoder: DocumentEncoder = DocumentEncoder()
  ) async throws(DatabaseError) -> WriteResult {
    let data = try encoder.encode(value, for: self).data
    return try await setData(data, mergeFields: mergeFields)
  }
}

extension CollectionReference {
  /// Creates a document with a new id from `value`.
  ///
  /// - Throws: the errors of `DocumentReference.create`.
  @discardableResult
  public func addDocument<T: Encodable>(
    from value: T, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) -> DocumentReference {
    let document = document()
    try document.create(from: value, encoder: encoder)
    return document
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func addDocument<T: Encodable>(
    from value: T, encoder: DocumentEncoder = DocumentEncoder()
  ) async throws(DatabaseError) -> DocumentReference {
    let document = document()
    try await document.create(from: value, encoder: encoder)
    return document
  }
}

extension WriteBatch {
  /// Creates a document from `value`; the commit throws `alreadyExists` if there is one.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold.
  public mutating func create<T: Encodable>(
    from value: T, for document: DocumentReference, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    append(try .creating(document.path, encoder.encode(value, for: document)), for: document)
  }

  /// Creates a document from `value` or replaces it. With `merge`, the fields of `value` are merged
  /// into the document (§7.1).
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold.
  public mutating func setData<T: Encodable>(
    from value: T, for document: DocumentReference, merge: Bool = false,
    encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    let encoded = try encoder.encode(value, for: document)
    append(try .setting(document.path, encoded, merge: merge), for: document)
  }

  /// Creates a document from `value`, or replaces only the given fields of it (§7.1).
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for a value that no document
  ///   can hold. The commit throws `invalidArgument` for a path without a field in `value`.
  public mutating func setData<T: Encodable>(
    from value: T, for document: DocumentReference, mergeFields: [String],
    encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    let data = try encoder.encode(value, for: document).data
    setData(data, for: document, mergeFields: mergeFields)
  }
}
