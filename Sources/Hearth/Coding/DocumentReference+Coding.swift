public import DocumentModel
import DocumentEngine

extension DocumentReference {
  // MARK: Reading

  /// The document as a value of `type`.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `notFound` if there is no document, unless `type` is optional; `invalidArgument`
  ///   with ``DatabaseError/codingFailure`` if the document doesn't fit; `dataLoss`; or what the
  ///   store reports.
  public func getDocument<T: Decodable>(
    as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) throws(DatabaseError) -> T {
    try getDocument().data(as: type, decoder: decoder)
  }

  public func getDocument<T: Decodable>(
    as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) async throws(DatabaseError) -> T {
    try await getDocument().data(as: type, decoder: decoder)
  }

  // MARK: Writing

  /// Creates the document from `value`; `alreadyExists` if there is one.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for what no document can
  ///   hold, and what `create` of fields throws.
  @discardableResult
  public func create<T: Encodable>(
    from value: T, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) -> WriteResult {
    try create(encoder.encode(value, for: self))
  }

  @discardableResult
  public func create<T: Encodable>(
    from value: T, encoder: DocumentEncoder = DocumentEncoder()
  ) async throws(DatabaseError) -> WriteResult {
    try await create(encoder.encode(value, for: self))
  }

  /// Creates the document from `value` or replaces it; with `merge`, the fields of `value` are
  /// merged into it (§7.1), so that a property that is `nil` leaves the stored field as it is.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for what no document can
  ///   hold, and what `setData` of fields throws.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, merge: Bool = false, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) -> WriteResult {
    try setData(encoder.encode(value, for: self), merge: merge)
  }

  @discardableResult
  public func setData<T: Encodable>(
    from value: T, merge: Bool = false, encoder: DocumentEncoder = DocumentEncoder()
  ) async throws(DatabaseError) -> WriteResult {
    try await setData(encoder.encode(value, for: self), merge: merge)
  }
}

extension CollectionReference {
  /// Creates a document with a new id from `value`.
  ///
  /// - Throws: as `DocumentReference.create`.
  @discardableResult
  public func addDocument<T: Encodable>(
    from value: T, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) -> DocumentReference {
    let document = document()
    try document.create(from: value, encoder: encoder)
    return document
  }

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
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for what no document can
  ///   hold.
  public mutating func create<T: Encodable>(
    from value: T, for document: DocumentReference, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    create(try encoder.encode(value, for: document), for: document)
  }

  /// Creates a document from `value` or replaces it; with `merge`, the fields of `value` are merged
  /// into it (§7.1).
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` for what no document can
  ///   hold.
  public mutating func setData<T: Encodable>(
    from value: T, for document: DocumentReference, merge: Bool = false,
    encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    setData(try encoder.encode(value, for: document), for: document, merge: merge)
  }
}
