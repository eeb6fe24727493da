public import HearthDocumentModel

extension Transaction {
  /// Returns a document as a value of `type`.
  ///
  /// - Throws: the errors of `getDocument`; `notFound` if there is no document, unless `type` is
  ///   optional; `invalidArgument` with ``DatabaseError/codingFailure`` if the document doesn't
  ///   fit.
  public func getDocument<T: Decodable>(
    _ reference: DocumentReference, as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) throws(DatabaseError) -> T {
    try getDocument(reference).data(as: type, decoder: decoder)
  }

  /// Does the same without blocking the calling thread.
  public func getDocument<T: Decodable>(
    _ reference: DocumentReference, as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) async throws(DatabaseError) -> T {
    try await getDocument(reference).data(as: type, decoder: decoder)
  }

  /// Creates a document from `value`; the commit throws `alreadyExists` if there is one.
  ///
  /// - Throws: the errors of `create` with fields; `invalidArgument` with
  ///   ``DatabaseError/codingFailure`` for a value that no document can hold.
  public func create<T: Encodable>(
    from value: T, for document: DocumentReference, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    try write(to: document) { batch throws(DatabaseError) in
      try batch.create(from: value, for: document, encoder: encoder)
    }
  }

  /// Creates a document from `value` or replaces it. With `merge`, the fields of `value` are merged
  /// into the document (§7.1).
  ///
  /// - Throws: the errors of `setData` with fields; `invalidArgument` with
  ///   ``DatabaseError/codingFailure`` for a value that no document can hold.
  public func setData<T: Encodable>(
    from value: T, for document: DocumentReference, merge: Bool = false,
    encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    try write(to: document) { batch throws(DatabaseError) in
      try batch.setData(from: value, for: document, merge: merge, encoder: encoder)
    }
  }

  /// Creates a document from `value`, or replaces only the given fields of it (§7.1).
  ///
  /// - Throws: the errors of `setData` with fields; `invalidArgument` with
  ///   ``DatabaseError/codingFailure`` for a value that no document can hold.
  public func setData<T: Encodable>(
    from value: T, for document: DocumentReference, mergeFields: [String],
    encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    try write(to: document) { batch throws(DatabaseError) in
      try batch.setData(from: value, for: document, mergeFields: mergeFields, encoder: encoder)
    }
  }
}
