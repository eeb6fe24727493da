public import DocumentModel
import DocumentEngine

/// The place of a document, whether there is one or not.
///
/// Two references are equal if they have the same path in the same open database.
public struct DocumentReference: Sendable, Hashable {
  public let path: ResourcePath
  let database: Database

  init(_ path: ResourcePath, in database: Database) throws(DatabaseError) {
    guard path.isDocument else {
      throw .invalidArgument(
        "\"\(path)\" is no document: a document's path has an even number of segments.")
    }
    self.init(unchecked: path, in: database)
  }

  init(unchecked path: ResourcePath, in database: Database) {
    self.path = path
    self.database = database
  }

  /// The last segment of the path.
  public var id: String { path.lastSegment ?? "" }

  /// The collection that the document is in.
  public var parent: CollectionReference {
    CollectionReference(unchecked: path.parent, in: database)
  }

  /// The full name, as it stands in a value: `.reference(try tokyo.name())`.
  ///
  /// - Throws: `failedPrecondition` if the database was closed.
  public func name() throws(DatabaseError) -> DocumentName {
    try DocumentName(path, in: database.id())
  }

  /// The collection with an id below the document.
  ///
  /// - Throws: `invalidArgument` if `id` breaks the rules of §1.1.
  public func collection(_ id: String) throws(DatabaseError) -> CollectionReference {
    try CollectionReference(path.appending(id), in: database)
  }

  // MARK: Reading

  /// The document as it is now.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`, or what the store reports.
  public func getDocument() throws(DatabaseError) -> DocumentSnapshot {
    DocumentSnapshot(self, try database.engine.readView().document(at: path))
  }

  public func getDocument() async throws(DatabaseError) -> DocumentSnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.getDocument() }
  }

  /// The collections directly below the document that hold documents, at any depth, sorted by id.
  ///
  /// - Complexity: a few keys per collection; documents are not read.
  /// - Throws: `dataLoss`, or what the store reports.
  public func listCollections() throws(DatabaseError) -> [CollectionReference] {
    try database.listCollections(below: path)
  }

  public func listCollections() async throws(DatabaseError) -> [CollectionReference] {
    try await Blocking.run { () throws(DatabaseError) in try self.listCollections() }
  }
}

extension DocumentReference {
  public static func == (left: DocumentReference, right: DocumentReference) -> Bool {
    left.database === right.database && left.path == right.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(database))
    hasher.combine(path)
  }
}

// MARK: - Writing

extension DocumentReference {
  /// Creates the document; `alreadyExists` if there is one.
  ///
  /// - Parameters:
  ///   - fields: all of the document's fields.
  ///   - transforms: are applied behind the fields, in their order (§7.3).
  /// - Throws: `alreadyExists`; `invalidArgument` for a broken limit or rule (§1.2), or what the
  ///   store reports. So do all writes.
  @discardableResult
  public func create(
    _ fields: MapValue, transforms: [FieldTransform] = []
  ) throws(DatabaseError) -> WriteResult {
    try commit(.create(path, fields, transforms: transforms))
  }

  @discardableResult
  public func create(
    _ fields: MapValue, transforms: [FieldTransform] = []
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.create(path, fields, transforms: transforms))
  }

  /// Creates the document or replaces it; with `merge`, `fields` are merged into it (§7.1).
  @discardableResult
  public func setData(
    _ fields: MapValue, merge: Bool = false, transforms: [FieldTransform] = []
  ) throws(DatabaseError) -> WriteResult {
    try commit(.setting(path, fields, merge: merge, transforms))
  }

  @discardableResult
  public func setData(
    _ fields: MapValue, merge: Bool = false, transforms: [FieldTransform] = []
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.setting(path, fields, merge: merge, transforms))
  }

  /// Sets some fields of a document that exists, and removes others (§7.1).
  ///
  /// The names in `changes` are field paths: `address.city` sets one field inside a map.
  ///
  /// - Throws: `notFound` if there is no document.
  @discardableResult
  public func updateData(
    _ changes: MapValue, removing removed: [String] = [], transforms: [FieldTransform] = []
  ) throws(DatabaseError) -> WriteResult {
    try commit(.update(path, changes, removing: removed, transforms))
  }

  @discardableResult
  public func updateData(
    _ changes: MapValue, removing removed: [String] = [], transforms: [FieldTransform] = []
  ) async throws(DatabaseError) -> WriteResult {
    try await commit(.update(path, changes, removing: removed, transforms))
  }

  /// Deletes the document, if there is one. What lies below it stays (§1.1).
  @discardableResult
  public func delete() throws(DatabaseError) -> WriteResult {
    try commit(.delete(path))
  }

  @discardableResult
  public func delete() async throws(DatabaseError) -> WriteResult {
    try await commit(.delete(path))
  }

  private func commit(_ write: Write) throws(DatabaseError) -> WriteResult {
    try database.commit([write])[0]
  }

  private func commit(_ write: Write) async throws(DatabaseError) -> WriteResult {
    try await database.commit([write])[0]
  }
}

extension Write {
  static func setting(
    _ path: ResourcePath, _ fields: MapValue, merge: Bool, _ transforms: [FieldTransform]
  ) -> Write {
    merge
      ? .merge(path, fields, transforms: transforms) : .set(path, fields, transforms: transforms)
  }

  /// An update whose names are field paths.
  static func update(
    _ path: ResourcePath, _ changes: MapValue, removing removed: [String],
    _ transforms: [FieldTransform]
  ) throws(DatabaseError) -> Write {
    var pairs: [(FieldPath, Value?)] = []
    for (name, value) in changes { pairs.append((try FieldPath(name), value)) }
    for name in removed { pairs.append((try FieldPath(name), nil)) }
    return try .update(path, pairs, transforms: transforms)
  }
}
