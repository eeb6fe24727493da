package import DocumentModel
import StorageFormat

/// A document that was read. It keeps the stored bytes and decodes what is asked of it.
package struct FetchedDocument: Sendable {
  private let record: DocumentRecord

  init(_ record: DocumentRecord) {
    self.record = record
  }

  package var path: ResourcePath { record.path }
  package var createTime: Timestamp { record.createTime }
  package var updateTime: Timestamp { record.updateTime }

  /// All fields.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged. So do the other calls.
  package func fields() throws(DatabaseError) -> MapValue {
    try reportingErrors { try record.fields() }
  }

  /// One field, without decoding the others.
  package func value(at field: FieldPath) throws(DatabaseError) -> Value? {
    try reportingErrors { try record.value(at: field) }
  }

  package func document() throws(DatabaseError) -> Document {
    try reportingErrors { try record.document() }
  }
}
