public import DocumentModel

extension Transaction {
  /// A document as a value of `type`.
  ///
  /// - Throws: as `getDocument`; `notFound` if there is no document, unless `type` is optional;
  ///   `invalidArgument` with ``DatabaseError/codingFailure`` if the document doesn't fit.
  public func getDocument<T: Decodable>(
    _ reference: DocumentReference, as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) throws(DatabaseError) -> T {
    try getDocument(reference).data(as: type, decoder: decoder)
  }

  /// The same, without blocking the calling thread.
  public func getDocument<T: Decodable>(
    _ reference: DocumentReference, as type: T.Type, decoder: DocumentDecoder = DocumentDecoder()
  ) async throws(DatabaseError) -> T {
    try await getDocument(reference).data(as: type, decoder: decoder)
  }

  /// Creates a document from `value`; the commit throws `alreadyExists` if there is one.
  ///
  /// - Throws: as `create` of fields; `invalidArgument` with ``DatabaseError/codingFailure`` for
  ///   what no document can hold.
  public func create<T: Encodable>(
    from value: T, for document: DocumentReference, encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    try write(to: document) { batch throws(DatabaseError) in
      try batch.create(from: value, for: document, encoder: encoder)
    }
  }

  /// Creates a document from `value` or replaces it; with `merge`, the fields of `value` are merged
  /// into it (§7.1).
  ///
  /// - Throws: as `setData` of fields; `invalidArgument` with ``DatabaseError/codingFailure`` for
  ///   what no document can hold.
  public func setData<T: Encodable>(
    from value: T, for document: DocumentReference, merge: Bool = false,
    encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    try write(to: document) { batch throws(DatabaseError) in
      try batch.setData(from: value, for: document, merge: merge, encoder: encoder)
    }
  }

  /// Creates a document from `value`, or replaces in it the given fields alone (§7.1).
  ///
  /// - Throws: as `setData` of fields; `invalidArgument` with ``DatabaseError/codingFailure`` for
  ///   what no document can hold.
  public func setData<T: Encodable>(
    from value: T, for document: DocumentReference, mergeFields: [String],
    encoder: DocumentEncoder = DocumentEncoder()
  ) throws(DatabaseError) {
    try write(to: document) { batch throws(DatabaseError) in
      try batch.setData(from: value, for: document, mergeFields: mergeFields, encoder: encoder)
    }
  }
}
