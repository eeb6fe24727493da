public import HearthDocumentModel
import HearthDocumentEngine
import HearthStorageFormat

extension DocumentDecoder {
  /// Decodes fields as a value of `type`, as if `document` had them. The fields may have been read
  /// before, or not be written yet.
  ///
  /// - Throws: `invalidArgument` with ``DatabaseError/codingFailure`` if the fields don't fit; or
  ///   the errors of the type's own `init(from:)`.
  public func decode<T: Decodable>(
    _ type: T.Type, from fields: MapValue, of document: DocumentReference
  ) throws(DatabaseError) -> T {
    let record = try record(of: fields, at: document.path, in: document.database)
    return try decode(type, from: record, in: document.database)
  }

  /// Decodes fields without a document as a value of `type`, which may not have a `DocumentID`.
  package func decode<T: Decodable>(
    _ type: T.Type, from fields: MapValue, in database: Database
  ) throws(DatabaseError) -> T {
    let nowhere = ResourcePath(unchecked: ["fields", "fields"])
    let record = try record(of: fields, at: nowhere, in: database)
    return try decode(type, from: record, in: database, isOfDocument: false)
  }

  /// Returns the record that a document with these fields would have.
  private func record(
    of fields: MapValue, at path: ResourcePath, in database: Database
  ) throws(DatabaseError) -> DocumentRecord {
    let own = try database.id()
    return try reportingErrors { () throws(CorruptBytes) in
      try DocumentRecord(fields, of: path, own: own)
    }
  }
}
