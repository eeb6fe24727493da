import HearthDocumentModel
import HearthQueryPlanning

/// One alternative of a query's filter, and all that it tells of the documents it finds.
///
/// A query is allowed if each of its alternatives is.
struct QueryAlternative {
  /// The path of the documents.
  let subject: MatchSubject
  /// The path for `request.path`; `nil` if there is no one collection.
  let path: ResourcePath?
  /// The document to which the alternative is fixed by its name; `nil` for none.
  let fixedDocument: ResourcePath?
  /// The value of `resource`.
  let resource: RulesValue

  /// Returns the alternatives of a query; `nil` if they are too many to judge.
  static func all(of query: StructuredQuery, in database: String) -> [QueryAlternative]? {
    let disjuncts = DisjunctiveForm(query.filter).disjuncts
    return disjuncts.isEmpty
      ? nil : disjuncts.map { QueryAlternative($0, of: query, in: database) }
  }

  private init(_ conditions: [Filter], of query: StructuredQuery, in database: String) {
    let document = conditions.lazy.compactMap(\.fixedName).first
    subject =
      document.map { MatchSubject($0, in: database) } ?? MatchSubject(query, in: database)
    path = document ?? query.collection
    fixedDocument = document
    resource = .map(
      .object(
        DocumentView(document, in: database, data: .object(PartialMap(conditions)))))
  }
}

extension StructuredQuery {
  /// The collection that is searched; the parent for queries of several.
  var collection: ResourcePath? {
    if collectionID.isEmpty { return parent }
    return parent.appending(unchecked: collectionID)
  }
}

extension MatchSubject {
  /// Creates the path of all documents that a query searches.
  fileprivate init(_ query: StructuredQuery, in database: String) {
    let id = query.collectionID.isEmpty ? nil : query.collectionID
    self.init(query.parent, in: database, hasGap: query.allDescendants, tail: [id, nil])
  }
}

extension Filter {
  /// The document to which the condition fixes the results; `nil` for any other condition.
  fileprivate var fixedName: ResourcePath? {
    guard case .field(.documentID, .equal, .reference(let name)) = self else { return nil }
    return name.path
  }
}
