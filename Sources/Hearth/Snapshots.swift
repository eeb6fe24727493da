public import DocumentModel
import DocumentEngine

/// A document as it was when it was read, or the fact that there was none.
///
/// It keeps the stored bytes and decodes what is asked of it.
public struct DocumentSnapshot: Sendable {
  private let database: Database
  /// The place that was asked for; `nil` for a result, which has it in its record.
  private let path: ResourcePath?
  let record: FetchedDocument?

  init(_ reference: DocumentReference, _ record: FetchedDocument?) {
    database = reference.database
    path = reference.path
    self.record = record
  }

  /// A result.
  init(_ record: FetchedDocument, in database: Database) {
    self.database = database
    path = nil
    self.record = record
  }

  /// The document's place.
  public var reference: DocumentReference {
    DocumentReference(unchecked: path ?? record?.path ?? .root, in: database)
  }

  /// The document's id.
  public var id: String { reference.id }
  /// Whether there was a document.
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
    guard let record else { return try value(FieldPath(field)) }
    return try record.value(at: field)
  }

  /// The same with a path that is no text.
  public func value(_ field: FieldPath) throws(DatabaseError) -> Value? {
    guard let record else { return nil }
    return try record.value(at: field)
  }

  /// When the document was created, and last changed.
  public var createTime: Timestamp? { record?.createTime }
  /// The time of the commit that last changed it; `nil` if there is none.
  public var updateTime: Timestamp? { record?.updateTime }
}

/// The results of a query, in its order, as they were at one moment.
public struct QuerySnapshot: Sendable {
  /// The results.
  public let documents: [DocumentSnapshot]
  /// The moment: every commit up to this time is seen, and none after it.
  public let readTime: Timestamp
  /// What it took to find them; nothing for a listener's snapshot, which is made of what was
  /// written.
  public let statistics: QueryStatistics
  /// `nil` where everything is new.
  private let changes: [DocumentChange]?

  init(_ documents: [DocumentSnapshot], at readTime: Timestamp, _ statistics: QueryStatistics) {
    self.documents = documents
    self.readTime = readTime
    self.statistics = statistics
    changes = nil
  }

  init(_ snapshot: ListenerSnapshot, in database: Database) {
    let lists = snapshot.shared.value(of: database) {
      ListenedLists(snapshot, in: database)
    }
    documents = lists.documents
    readTime = snapshot.readTime
    statistics = QueryStatistics(ExecutionStatistics())
    changes = lists.changes
  }

  /// What is different since the listener's snapshot before: first what was removed, then what was
  /// added, then what was modified, each in the order of the query (§8). For the first snapshot,
  /// and for one that wasn't listened for, all documents are added.
  public var documentChanges: [DocumentChange] {
    changes
      ?? documents.enumerated().map { index, document in
        DocumentChange(.added, document, oldIndex: nil, newIndex: index)
      }
  }

  /// How many results there are.
  public var count: Int { documents.count }
  /// Whether there are none.
  public var isEmpty: Bool { documents.isEmpty }
}

/// The lists that all listeners of a query are told at once.
private struct ListenedLists: Sendable {
  let database: Database
  let documents: [DocumentSnapshot]
  let changes: [DocumentChange]

  init(_ snapshot: ListenerSnapshot, in database: Database) {
    self.database = database
    documents = snapshot.documents.map { DocumentSnapshot($0, in: database) }
    changes = snapshot.changes.map {
      DocumentChange(
        DocumentChange.Kind($0.kind), DocumentSnapshot($0.document, in: database),
        oldIndex: $0.oldIndex, newIndex: $0.newIndex)
    }
  }
}

/// What it took to answer a query.
public struct QueryStatistics: Sendable, Equatable {
  /// Index entries that were looked at.
  public let entriesRead: Int
  /// Documents that were fetched.
  public let documentsRead: Int
  /// Jumps from one place of an index to another.
  public let seekCount: Int
  /// Results that the offset left out.
  public let resultsSkipped: Int
  /// Documents that were taken from entries of covering indexes, and not fetched.
  public let documentsCovered: Int
  /// Kept counts that were read in place of index entries.
  public let keptCountsRead: Int
  /// Deleted index entries that were stepped over, because the files still hold them.
  public let deletedEntriesPassed: Int
}
