import HearthFirestoreJSON
import Hearth

/// One of the queries that are measured.
struct BenchQuery {
  enum Kind {
    /// A document by its path, or documents drawn from the collection if `id` is `nil`.
    case get(collection: ResourcePath, id: String?)
    case documents(QueryTemplate)
    case figures(QueryTemplate, [Aggregation])
  }

  /// Name of the query in reports and assertions.
  let name: String
  /// The query as it was typed.
  let text: String
  /// Frequency of the query relative to the others.
  let weight: Int
  let kind: Kind
}

/// The documents of a collection or a collection group, from which values are drawn.
struct DocumentSource: Hashable {
  let path: ResourcePath
  let isGroup: Bool
}

extension BenchQuery {
  /// Returns the documents from which the query's values are drawn.
  ///
  /// - Throws: `invalidArgument` for a query of an invalid collection.
  func source() throws(DatabaseError) -> DocumentSource {
    switch kind {
    case .get(let collection, _): return DocumentSource(path: collection, isGroup: false)
    case .documents(let template), .figures(let template, _):
      let query = template.query
      let path = try query.parent.appending(query.collectionID)
      return DocumentSource(path: path, isGroup: query.allDescendants)
    }
  }

  /// Whether the query's values differ from run to run.
  var isDrawn: Bool {
    switch kind {
    case .get(_, let id): id == nil
    case .documents(let template), .figures(let template, _): !template.fields.isEmpty
    }
  }
}

extension BenchQuery {
  /// Reads a query as a file of queries contains it.
  ///
  /// - Throws: `QueryTextError`, `ToolFailure` or `DatabaseError` for a text that is no query.
  static func kind(_ text: String, in database: DatabaseID) throws -> Kind {
    if let path = text.after(word: "get") { return try get(path) }
    let isCount = text.after(word: "count")
    let logged = try LoggedQuery(
      line: Array(withPlaces(isCount ?? text).utf8), in: database)
    guard logged.explain == nil, logged.consistency == nil,
      logged.database == nil || logged.database == database
    else {
      throw ToolFailure.badInput(
        "what is measured is the query alone: take the time, the transaction, the explain "
          + "options and another database's parent out of it.")
    }
    switch (logged.query, isCount) {
    case (.documents(let query), nil): return .documents(try QueryTemplate(query))
    case (.documents(let query), _?): return .figures(try QueryTemplate(query), [.count()])
    case (.figures(let figures), nil):
      return .figures(try QueryTemplate(figures.query), figures.aggregations)
    case (.figures, _?):
      throw ToolFailure.badInput("count and aggregate exclude each other.")
    }
  }

  /// Quotes the places of a query in text form. In JSON they are in quotes already.
  private static func withPlaces(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "{") ? text : QueryTemplate.withPlaces(text)
  }

  private static func get(_ text: String) throws -> Kind {
    let path = try ResourcePath(text).ofDocument()
    let id = path.lastSegment ?? ""
    return .get(collection: path.parent, id: id.utf8Equal(QueryTemplate.place) ? nil : id)
  }
}

extension String {
  /// Returns the text after a first word and the blanks that follow it; `nil` for another word.
  fileprivate func after(word: String) -> String? {
    guard utf8.starts(with: "\(word) ".utf8) else { return nil }
    return String(dropFirst(word.count).drop { $0 == " " })
  }
}
