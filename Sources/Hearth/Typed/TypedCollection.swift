public import HearthDocumentModel

/// A collection whose documents are values of a type.
///
/// ```swift
/// let tasks = try database.collection("tasks", of: Task.self)
/// let milk = try tasks.add(Task(title: "Milk", userID: userID))
/// try tasks.update(milk.id, .set(\.isDone, to: true), .increment(\.editCount, by: 1))
/// for task in try tasks.where(\.isDone == false).getDocuments() { print(task.title) }
/// ```
///
/// It is a view of a ``CollectionReference``: documents that were written in other ways can be read
/// if they fit the type.
public struct TypedCollection<Element: FieldKeyed>: TypedQueryBuilding, Hashable {
  /// The collection without the type.
  public let collection: CollectionReference

  init(_ collection: CollectionReference) {
    self.collection = collection
  }

  public var query: Query { collection.query }

  /// Returns a reference to the document with an id, whether it exists or not.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func document(_ id: String) throws(DatabaseError) -> DocumentReference {
    try collection.document(id)
  }

  /// Returns the document with an id; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1, or with
  ///   ``DatabaseError/codingFailure`` if the document doesn't fit; `dataLoss`, or the store's
  ///   error.
  public func getDocument(_ id: String) throws(DatabaseError) -> Element? {
    try document(id).getDocument(as: Element?.self, decoder: Element.documentDecoder)
  }

  /// Does the same without blocking the calling thread.
  public func getDocument(_ id: String) async throws(DatabaseError) -> Element? {
    let snapshot = try await document(id).getDocument()
    return try snapshot.data(as: Element?.self, decoder: Element.documentDecoder)
  }
}

extension Database {
  /// Returns the collection at `path`, with values of `type` as documents.
  ///
  /// - Throws: `invalidArgument` if `path` breaks the rules of §1.1 or names a document.
  public func collection<Element: FieldKeyed>(
    _ path: String, of type: Element.Type
  ) throws(DatabaseError) -> TypedCollection<Element> {
    TypedCollection(try collection(path))
  }

  /// Returns a query over all collections with an id, at any depth (§1.1), with values of `type` as
  /// documents. It needs indexes of group scope.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func collectionGroup<Element: FieldKeyed>(
    _ id: String, of type: Element.Type
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(try collectionGroup(id))
  }
}

extension DocumentReference {
  /// Returns the collection with an id below the document, with values of `type` as documents.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func collection<Element: FieldKeyed>(
    _ id: String, of type: Element.Type
  ) throws(DatabaseError) -> TypedCollection<Element> {
    TypedCollection(try collection(id))
  }
}
