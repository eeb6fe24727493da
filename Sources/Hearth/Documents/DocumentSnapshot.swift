public import HearthDocumentModel
import HearthDocumentEngine
import HearthStorageFormat
import Synchronization

/// A document as it was when it was read, or the fact that there was none.
///
/// It keeps the stored bytes and decodes the requested fields.
public struct DocumentSnapshot: Sendable {
  /// The way to the document's place. It is one reference, since snapshots are copied often. The
  /// results of a query share theirs, so that threads that read at once don't all count references
  /// to the database.
  enum Origin: Sendable {
    /// The record has the document's path.
    case database(Database)
    case result(ResultSource)
    case missing(MissingDocument)
  }

  let origin: Origin
  let record: FetchedDocument?

  init(_ reference: DocumentReference, _ record: FetchedDocument?) {
    origin =
      record == nil ? .missing(MissingDocument(reference)) : .database(reference.database)
    self.record = record
  }

  /// Makes a result of a query.
  init(_ record: consuming FetchedDocument, of source: ResultSource) {
    origin = .result(source)
    self.record = record
  }

  /// The document's place.
  public var reference: DocumentReference {
    switch origin {
    case .database(let database): DocumentReference(unchecked: path, in: database)
    case .result(let source): DocumentReference(unchecked: path, in: source.database)
    case .missing(let missing): missing.reference
    }
  }

  private var path: ResourcePath { record?.path ?? .root }

  /// The document's id.
  public var id: String {
    // An id needs no whole path.
    record?.documentID ?? reference.id
  }
  /// Whether the document existed.
  public var exists: Bool { record != nil }

  /// Returns all fields; `nil` if there was no document.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged, as do the other calls.
  public func data() throws(DatabaseError) -> MapValue? {
    guard case .result(let source) = origin, let record else { return try record?.fields() }
    return try source.fields(of: record)
  }

  /// Returns one field, such as `population` or `address.city`, without decoding the others.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public func value(_ field: String) throws(DatabaseError) -> Value? {
    // Binding the record would count references, which takes a quarter of the call.
    guard exists else { return try value(FieldPath(field)) }
    return try record?.value(at: field)
  }

  /// Does the same with a parsed path.
  public func value(_ field: FieldPath) throws(DatabaseError) -> Value? {
    try record?.value(at: field)
  }

  /// Time of the commit that created the document; `nil` if there was no document.
  public var createTime: Timestamp? { record?.createTime }
  /// Time of the commit that last changed the document; `nil` if there was no document.
  public var updateTime: Timestamp? { record?.updateTime }
}

extension DocumentReference {
  /// The fact that there is no document.
  package var missingSnapshot: DocumentSnapshot { DocumentSnapshot(self, nil) }
}

/// The place of a document that didn't exist.
final class MissingDocument: Sendable {
  let reference: DocumentReference

  init(_ reference: DocumentReference) {
    self.reference = reference
  }
}

/// The database that the results of one query come from.
final class ResultSource: Sendable {
  let database: Database
  /// The names of the fields of the result that was decoded last.
  private let names: Mutex<SharedNames>

  init(_ database: Database) {
    self.database = database
    names = Mutex(SharedNames())
  }

  /// Returns all fields of a result. Results that have the same fields share their names.
  fileprivate func fields(of record: FetchedDocument) throws(DatabaseError) -> MapValue {
    let known = names.withLock { $0 }
    var shared = known
    let fields = try record.fields(sharing: &shared)
    if shared.differ(from: known) { names.withLock { [shared] names in names = shared } }
    return fields
  }
}
