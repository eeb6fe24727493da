import Hearth
import HearthDocumentModel
import HearthProtocols

/// A query, or documents, that a stream listens to.
struct ListenTarget {
  enum Source {
    case query(Query)
    case documents([DocumentReference])
  }

  let source: Source
  /// The state from which it goes on; `nil` if it begins anew.
  let resumption: Resumption?
  /// Whether it ends with its first result.
  let isOnce: Bool
  /// Whether documents are sent without some of their fields.
  let isProjected: Bool
  /// The listeners: one, or one for each document.
  private(set) var listeners: [ListenerSet.ID] = []

  /// - Throws: `invalidArgument` in production's words.
  init(
    _ message: V1.Target, from resumption: Resumption?, of id: DatabaseID, in database: Database
  ) throws(DatabaseError) {
    self.resumption = resumption
    isOnce = message.once
    switch message.targetType {
    case .query(let target):
      let parent = try ResourceName(parent: target.parent).path(in: id)
      guard case .structuredQuery(let query)? = target.queryType else {
        throw .invalidArgument("only structured queries are supported")
      }
      let structured = try StructuredQuery(query, below: parent)
      source = .query(database.query(structured))
      isProjected = structured.projection != nil
    case .documents(let target):
      var paths: Set<ResourcePath> = []
      var references: [DocumentReference] = []
      for text in target.documents {
        let path = try ResourceName(document: text).path(in: id)
        guard paths.insert(path).inserted else { continue }
        references.append(try database.document(DocumentName(path, in: id)))
      }
      source = .documents(references)
      isProjected = false
    case nil: throw .invalidArgument("A target must have a query or documents.")
    }
  }

  /// The query; `nil` for documents.
  var query: StructuredQuery? {
    if case .query(let query) = source { query.structuredQuery } else { nil }
  }

  /// Begins to listen.
  ///
  /// - Returns: the documents that listeners listen to.
  mutating func start(in set: ListenerSet) -> [ListenerSet.ID: ResourcePath] {
    switch source {
    case .query(let query):
      listeners = [set.add(query)]
      return [:]
    case .documents(let references):
      var paths: [ListenerSet.ID: ResourcePath] = [:]
      for reference in references { paths[set.add(reference)] = reference.path }
      listeners = paths.keys.sorted()
      return paths
    }
  }

  /// Returns the documents that the client knows; `nil` if the state from which the target goes on
  /// isn't kept, so that all are to be sent.
  func knownResult(in database: Database) -> KnownResult? {
    guard let snapshot = resumption?.snapshot(of: database) else { return nil }
    var known = KnownResult()
    do {
      switch source {
      case .query(let query):
        try blocking { () throws(DatabaseError) in
          try snapshot.forEachDocument(of: query) { document in
            known.add(document)
            return true
          }
        }
      case .documents(let references):
        for document in try blocking({ () throws(DatabaseError) in
          try snapshot.getAll(references)
        }) { known.add(document) }
      }
    } catch {
      // The index may not have been ready then.
      return nil
    }
    return known
  }
}

extension V1.Target {
  /// Number of the listeners that the target needs.
  var listenerCount: Int {
    if case .documents(let target)? = targetType { target.documents.count } else { 1 }
  }
}
