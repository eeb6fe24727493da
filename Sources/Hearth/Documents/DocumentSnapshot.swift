public import HearthDocumentModel
import HearthDocumentEngine

/// A document as it was when it was read, or the fact that there was none.
///
/// It keeps the stored bytes and decodes the requested fields.
public struct DocumentSnapshot: Sendable {
  /// The place of the document. The results of a query share the way to their database, so that
  /// threads that read at once don't all count references to the database.
  enum Origin: Sendable {
    case request(DocumentReference)
    /// The record of a result has its path.
    case result(ResultSource)
  }

  let origin: Origin
  let record: FetchedDocument?

  init(_ reference: DocumentReference, _ record: FetchedDocument?) {
    origin = .request(reference)
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
    case .request(let reference): reference
    case .result(let source):
      DocumentReference(unchecked: record?.path ?? .root, in: source.database)
    }
  }

  /// The document's id.
  public var id: String {
    // An id needs no whole path.
    if case .result = origin { return record?.documentID ?? "" }
    return reference.id
  }
  /// Whether the document existed.
  public var exists: Bool { record != nil }

  /// Returns all fields; `nil` if there was no document.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged, as do the other calls.
  public func data() throws(DatabaseError) -> MapValue? { try record?.fields() }

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

/// The database that the results of one query come from.
final class ResultSource: Sendable {
  let database: Database

  init(_ database: Database) {
    self.database = database
  }
}
