public import DocumentModel
import DocumentEngine

/// A document as it was when it was read, or the fact that there was none.
///
/// It keeps the stored bytes and decodes the requested fields.
public struct DocumentSnapshot: Sendable {
  private let database: Database
  /// Path of the requested document; `nil` for a result of a query, which has it in its record.
  private let path: ResourcePath?
  let record: FetchedDocument?

  init(_ reference: DocumentReference, _ record: FetchedDocument?) {
    database = reference.database
    path = reference.path
    self.record = record
  }

  /// Makes a result of a query.
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
  /// Whether the document existed.
  public var exists: Bool { record != nil }

  /// Returns all fields; `nil` if there was no document.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged, as do the other calls.
  public func data() throws(DatabaseError) -> MapValue? {
    guard let record else { return nil }
    return try record.fields()
  }

  /// Returns one field, such as `population` or `address.city`, without decoding the others.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public func value(_ field: String) throws(DatabaseError) -> Value? {
    guard let record else { return try value(FieldPath(field)) }
    return try record.value(at: field)
  }

  /// Does the same with a parsed path.
  public func value(_ field: FieldPath) throws(DatabaseError) -> Value? {
    guard let record else { return nil }
    return try record.value(at: field)
  }

  /// Time of the commit that created the document; `nil` if there was no document.
  public var createTime: Timestamp? { record?.createTime }
  /// Time of the commit that last changed the document; `nil` if there was no document.
  public var updateTime: Timestamp? { record?.updateTime }
}

/// The results of a query at one moment, in the order of the query.
public struct QuerySnapshot: Sendable {
  /// Results of the query, in its order.
  public let documents: [DocumentSnapshot]
  /// Time of the snapshot: it holds every commit up to this time, and none after it.
  public let readTime: Timestamp
  /// Work that finding the results took. A listener's snapshot has none, since it is made from the
  /// documents as they were written.
  public let statistics: QueryStatistics
  /// Changes since the snapshot before; `nil` if all documents are new.
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

  /// Changes since the listener's snapshot before: first the removed documents, then the added
  /// ones, then the modified ones, each in the order of the query (§8). In the first snapshot, and
  /// in one without a listener, all documents are added.
  public var documentChanges: [DocumentChange] {
    changes
      ?? documents.enumerated().map { index, document in
        DocumentChange(.added, document, oldIndex: nil, newIndex: index)
      }
  }

  /// Number of results.
  public var count: Int { documents.count }
  /// Whether there are no results.
  public var isEmpty: Bool { documents.isEmpty }
}

/// The documents and changes of one snapshot, which all listeners of a query share.
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

/// The work that answering a query took.
public struct QueryStatistics: Sendable, Equatable, Codable {
  /// Number of index entries that were read.
  public let entriesRead: Int
  /// Number of documents that were fetched.
  public let documentsRead: Int
  /// Number of moves from one place of an index to another.
  public let seekCount: Int
  /// Number of results that the offset left out.
  public let resultsSkipped: Int
  /// Number of documents taken from entries of covering indexes instead of being fetched.
  public let documentsCovered: Int
  /// Number of kept counts that were read in place of index entries.
  public let keptCountsRead: Int
  /// Number of deleted index entries that were stepped over, because the files still hold them.
  public let deletedEntriesPassed: Int
}
