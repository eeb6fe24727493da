import Hearth
import HearthDocumentModel
import HearthQueryPlanning
import HearthRules

/// The judgements of the listeners of one stream: when they begin, before they tell anything, when
/// a document changes that their judgement has read, and when the rules change.
struct ListenerJudge {
  /// The documents or the query of a listener.
  enum Subject {
    case query(StructuredQuery)
    case document(ResourcePath)
  }

  private let judge: @Sendable () throws(DatabaseError) -> RulesJudge?
  private let database: Database
  /// The documents on which the judgements depend, by the listeners that are judged.
  private var watched: WatchedDocuments<ListenerSet.ID>
  /// Whether the rules have changed since all listeners were judged.
  var mustJudgeAll = false

  /// - Parameter judge: returns the present judge of the stream's user; `nil` for an administrator.
  init(
    in listeners: ListenerSet, of database: Database,
    _ judge: @escaping @Sendable () throws(DatabaseError) -> RulesJudge?
  ) {
    self.judge = judge
    self.database = database
    watched = WatchedDocuments(in: listeners, of: database)
  }

  /// The number of documents that are watched.
  var watchedCount: Int { watched.count }

  /// Judges a query before it begins to run, so that no error of it tells of indexes.
  ///
  /// - Throws: `permissionDenied`; the store's error.
  func checkBeginning(of query: StructuredQuery?) throws(DatabaseError) {
    guard let query, let judge = try judge() else { return }
    try judge.check(query, in: blocking { () throws(DatabaseError) in try database.snapshot() })
  }

  /// Returns the judge of the listeners that have to be judged now; `nil` for an administrator.
  ///
  /// - Throws: `unauthenticated` or `invalidArgument` for credentials that can't be read.
  func present() throws(DatabaseError) -> RulesJudge? { try judge() }

  /// Returns the listeners that depend on a watched document; `nil` for a listener of the stream's
  /// own.
  func dependents(on listener: ListenerSet.ID) -> Set<ListenerSet.ID>? {
    watched.owners(of: listener)
  }

  /// Judges a listener, and watches the documents that the rules have read.
  ///
  /// - Parameter snapshot: the moment of which the listener is to tell.
  /// - Throws: `permissionDenied`; the store's error.
  mutating func check(
    _ subject: Subject, of listener: ListenerSet.ID, by judge: RulesJudge,
    in snapshot: DatabaseSnapshot
  ) throws(DatabaseError) {
    var judgement = judge.judgement(in: snapshot)
    switch subject {
    case .query(let query): try judgement.list(query)
    case .document(let path):
      let reference = try database.document(path.description)
      let document = try blocking { () throws(DatabaseError) in
        try snapshot.getDocument(reference)
      }
      try judgement.get(document)
    }
    try judgement.check()
    watched.watch(judgement.documentsRead, for: listener)
  }

  /// Ends the judgements of a listener.
  mutating func remove(_ listener: ListenerSet.ID) { watched.remove(listener) }
}
