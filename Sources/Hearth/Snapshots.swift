public import DocumentModel
import DocumentEngine

/// A document as it was when it was read, or the fact that there was none.
///
/// It keeps the stored bytes and decodes what is asked of it.
public struct DocumentSnapshot: Sendable {
  public let reference: DocumentReference
  let record: FetchedDocument?

  init(_ reference: DocumentReference, _ record: FetchedDocument?) {
    self.reference = reference
    self.record = record
  }

  public var id: String { reference.id }
  public var exists: Bool { record != nil }

  /// All fields, or `nil` if there was no document.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged. So do the other calls.
  public func data() throws(DatabaseError) -> MapValue? {
    guard let record else { return nil }
    return try record.fields()
  }

  /// One field, without decoding the others: `population`, `address.city`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public func value(_ field: String) throws(DatabaseError) -> Value? {
    try value(FieldPath(field))
  }

  public func value(_ field: FieldPath) throws(DatabaseError) -> Value? {
    guard let record else { return nil }
    return try record.value(at: field)
  }

  /// When the document was created, and last changed.
  public var createTime: Timestamp? { record?.createTime }
  public var updateTime: Timestamp? { record?.updateTime }
}

/// The results of a query, in its order, as they were at one moment.
public struct QuerySnapshot: Sendable {
  public let documents: [DocumentSnapshot]
  /// What it took to find them.
  public let statistics: QueryStatistics

  public var count: Int { documents.count }
  public var isEmpty: Bool { documents.isEmpty }
}

/// What it took to answer a query.
public struct QueryStatistics: Sendable, Equatable {
  /// Index entries that were looked at.
  public let entriesRead: Int
  public let documentsRead: Int
  /// Jumps from one place of an index to another.
  public let seekCount: Int
  /// Results that the offset left out.
  public let resultsSkipped: Int
}
