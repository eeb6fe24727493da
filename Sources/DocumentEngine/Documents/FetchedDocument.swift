package import HearthDocumentModel
package import HearthStorageFormat

/// A document that was read. It keeps the stored bytes and decodes fields on demand.
package struct FetchedDocument: Sendable {
  /// The stored document. Its fields are those of the result unless there is a `shape`.
  package let record: DocumentRecord
  /// The difference between the result and the document; mostly `nil`, for none.
  package let shape: ResultShape?

  init(_ record: consuming DocumentRecord, _ shape: ResultShape? = nil) {
    self.record = record
    self.shape = shape
  }

  package var path: ResourcePath { record.path }
  package var documentID: String { record.documentID }
  package var createTime: Timestamp { record.createTime }
  package var updateTime: Timestamp { record.updateTime }
  /// The size of the stored document.
  package var byteCount: Int { record.byteCount }

  /// Returns all fields, or those of the query's projection.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged. The other calls throw it too.
  package func fields() throws(DatabaseError) -> MapValue {
    try reportingErrors {
      if let projection = shape?.projection { return try projection.fields(storedValue) }
      var fields = try record.fields()
      if let distance = shape?.distance { fields[distance.name] = .double(distance.value) }
      return fields
    }
  }

  /// Does the same, with the names of the document that was decoded last where they are the same.
  package func fields(sharing names: inout SharedNames) throws(DatabaseError) -> MapValue {
    guard shape == nil else { return try fields() }
    do { return try record.fields(sharing: &names) } catch { throw DatabaseError(reporting: error) }
  }

  /// Returns one of these fields without decoding the others; `nil` if it is missing.
  package func value(at field: FieldPath) throws(DatabaseError) -> Value? {
    guard shape?.projection == nil else { return try fields()[field] }
    return try reportingErrors { try storedValue(at: field) }
  }

  /// Returns one of these fields without decoding the others; `nil` if it is missing.
  ///
  /// - Throws: `invalidArgument` too, for a malformed path.
  package func value(at text: String) throws(DatabaseError) -> Value? {
    if shape == nil {
      do {
        if let value = try record.value(ofPlainName: text) { return value }
      } catch {
        throw DatabaseError(reporting: error)
      }
    }
    return try value(at: FieldPath(text))
  }

  private func storedValue(at field: FieldPath) throws -> Value? {
    guard let distance = shape?.distance, let name = field.names.first,
      name.utf8Equal(distance.name)
    else {
      return try record.value(at: field)
    }
    // A number has no fields of its own.
    return field.names.count == 1 ? .double(distance.value) : nil
  }

  package func document() throws(DatabaseError) -> Document {
    Document(
      path: path, fields: try fields(), createTime: createTime, updateTime: updateTime)
  }

  /// Returns the stored bytes, for callers that decode them in their own way. They hold the fields
  /// of the query's projection, and no others.
  package func storedRecord() throws(DatabaseError) -> DocumentRecord {
    guard shape != nil else { return record }
    return try reportingErrors {
      var bytes: [UInt8] = []
      DocumentRecord.append(try document(), own: record.own, to: &bytes)
      return try DocumentRecord(bytes, own: record.own)
    }
  }
}

/// The differences between results and their documents.
package final class ResultShape: Sendable {
  /// The fields that results carry; `nil` for all fields.
  let projection: Projection?
  /// The distance, which replaces the document's own field of that name; `nil` for none.
  let distance: (name: String, value: Double)?

  init(_ projection: Projection?, distance: (name: String, value: Double)? = nil) {
    self.projection = projection
    self.distance = distance
  }
}
