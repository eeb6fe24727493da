extension DocumentReference {
  /// Creates the document from `value`, or replaces it.
  ///
  /// - Throws: `EncodingError` for a value that no document can hold, before anything is written.
  public func setData<T: Encodable>(
    from value: T, encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws {
    let data = try encoder.data(value)
    commit(completion) { .set(data, merge: false) }
  }

  /// Creates the document from `value`, or replaces it. With `merge`, the fields of `value` are
  /// merged into the document (§7.1).
  public func setData<T: Encodable>(
    from value: T, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws {
    let data = try encoder.data(value)
    commit(completion) { .set(data, merge: merge) }
  }

  /// Creates the document or merges some of the fields of `value` into it.
  public func setData<T: Encodable>(
    from value: T, mergeFields: [Any], encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws {
    let data = try encoder.data(value)
    commit(completion) { .setFields(data, try DocumentWrite.fields(mergeFields)) }
  }
}

extension CollectionReference {
  /// Creates a document with a new id from `value`.
  ///
  /// - Throws: `EncodingError` for a value that no document can hold, before anything is written.
  @discardableResult
  public func addDocument<T: Encodable>(
    from value: T, encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws -> DocumentReference {
    let document = document()
    try document.setData(from: value, encoder: encoder, completion: completion)
    return document
  }
}

extension WriteBatch {
  /// Creates a document from `value`, or replaces it.
  ///
  /// - Throws: `EncodingError` for a value that no document can hold.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> WriteBatch {
    let data = try encoder.data(value)
    return append(for: document) { .set(data, merge: false) }
  }

  /// Creates a document from `value`, or replaces it. With `merge`, the fields of `value` are
  /// merged into the document (§7.1).
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, merge: Bool,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> WriteBatch {
    let data = try encoder.data(value)
    return append(for: document) { .set(data, merge: merge) }
  }

  /// Creates a document or merges some of the fields of `value` into it.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, mergeFields: [Any],
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> WriteBatch {
    let data = try encoder.data(value)
    return append(for: document) { .setFields(data, try DocumentWrite.fields(mergeFields)) }
  }
}
