public import HearthDocumentModel

// Typed documents in batches and transactions. A transaction watches the results of a typed query
// like those of any other.

extension WriteBatch {
  /// Creates a document of a typed collection; the commit throws `alreadyExists` if there is one.
  ///
  /// - Throws: `invalidArgument` for an id that breaks the rules of §1.1, or with
  ///   ``DatabaseError/codingFailure`` for a value that no document can hold. The other writes
  ///   throw the same.
  public mutating func create<Element: FieldKeyed>(
    _ element: Element, id: String, in collection: TypedCollection<Element>
  ) throws(DatabaseError) {
    let document = try collection.document(id)
    try create(from: element, for: document, encoder: Element.documentEncoder)
  }

  /// Creates a document of a typed collection or replaces it. With `merge`, the fields of `element`
  /// are merged into the document (§7.1).
  public mutating func set<Element: FieldKeyed>(
    _ element: Element, id: String, in collection: TypedCollection<Element>, merge: Bool = false
  ) throws(DatabaseError) {
    let document = try collection.document(id)
    try setData(from: element, for: document, merge: merge, encoder: Element.documentEncoder)
  }

  /// Changes some fields of a document of a typed collection; the commit throws `notFound` if there
  /// is none.
  public mutating func update<Element: FieldKeyed>(
    _ id: String, in collection: TypedCollection<Element>, _ changes: TypedChange<Element>...
  ) throws(DatabaseError) {
    updateData(changes.map { ($0.field, $0.value) }, for: try collection.document(id))
  }
}

extension Transaction {
  // MARK: Reading

  /// Returns the document of a typed collection with an id; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: the errors of `getDocument` with a reference; `invalidArgument` with
  ///   ``DatabaseError/codingFailure`` if the document doesn't fit the type.
  public func getDocument<Element: FieldKeyed>(
    _ id: String, in collection: TypedCollection<Element>
  ) throws(DatabaseError) -> Element? {
    try getDocument(collection.document(id))
      .data(as: Element?.self, decoder: Element.documentDecoder)
  }

  /// Does the same without blocking the calling thread.
  public func getDocument<Element: FieldKeyed>(
    _ id: String, in collection: TypedCollection<Element>
  ) async throws(DatabaseError) -> Element? {
    try await getDocument(collection.document(id))
      .data(as: Element?.self, decoder: Element.documentDecoder)
  }

  /// Returns the results of a typed query.
  ///
  /// - Complexity: the index entries up to the last result, and one document per result.
  /// - Throws: the errors of `getDocuments` with a query; `invalidArgument` with
  ///   ``DatabaseError/codingFailure`` for the first result that doesn't fit the type.
  public func getDocuments<Query: TypedQueryBuilding>(
    _ query: Query, timeout: Duration? = nil
  ) throws(DatabaseError) -> [Query.Element] {
    try getDocuments(query.query, timeout: timeout)
      .documents(as: Query.Element.self, decoder: Query.Element.documentDecoder)
  }

  /// Does the same without blocking the calling thread.
  public func getDocuments<Query: TypedQueryBuilding>(
    _ query: Query, timeout: Duration? = nil
  ) async throws(DatabaseError) -> [Query.Element] {
    try await getDocuments(query.query, timeout: timeout)
      .documents(as: Query.Element.self, decoder: Query.Element.documentDecoder)
  }

  // MARK: Writing

  /// Creates a document of a typed collection; the commit throws `alreadyExists` if there is one.
  ///
  /// - Throws: the errors of the transaction's other writes; `invalidArgument` with
  ///   ``DatabaseError/codingFailure`` for a value that no document can hold. The other typed
  ///   writes throw the same.
  public func create<Element: FieldKeyed>(
    _ element: Element, id: String, in collection: TypedCollection<Element>
  ) throws(DatabaseError) {
    try write(to: collection.document(id)) { (batch: inout WriteBatch) throws(DatabaseError) in
      try batch.create(element, id: id, in: collection)
    }
  }

  /// Creates a document of a typed collection or replaces it. With `merge`, the fields of `element`
  /// are merged into the document (§7.1).
  public func set<Element: FieldKeyed>(
    _ element: Element, id: String, in collection: TypedCollection<Element>, merge: Bool = false
  ) throws(DatabaseError) {
    try write(to: collection.document(id)) { (batch: inout WriteBatch) throws(DatabaseError) in
      try batch.set(element, id: id, in: collection, merge: merge)
    }
  }

  /// Changes some fields of a document of a typed collection; the commit throws `notFound` if there
  /// is none.
  public func update<Element: FieldKeyed>(
    _ id: String, in collection: TypedCollection<Element>, _ changes: TypedChange<Element>...
  ) throws(DatabaseError) {
    let changes = changes.map { ($0.field, $0.value) }
    try updateData(changes, for: collection.document(id))
  }
}
