import HearthAdminSocket
import ArgumentParser
import HearthFirestoreJSON
import Hearth

/// A query, typed as options or taken from a file.
struct QueryInput: ParsableArguments {
  @OptionGroup var options: QueryOptions

  @Option(
    help: ArgumentHelp(
      "A query as JSON, instead of all of the above: a StructuredQuery or a request's whole body; "
        + "- is standard input.",
      valueName: "file"),
    completion: .file())
  var structuredQuery: String?

  @Option(
    help: ArgumentHelp("The parent document of the query in the file.", valueName: "path"))
  var below: String?

  func validate() throws {
    guard structuredQuery != nil else {
      guard options.collection != nil else {
        throw ValidationError("Name a collection, or a file by --structured-query.")
      }
      guard below == nil else {
        throw ValidationError("--below belongs to --structured-query; a collection has its path.")
      }
      return
    }
    guard options.collection == nil, !options.isRefined else {
      throw ValidationError("--structured-query has the whole query: leave out the rest.")
    }
  }
}

extension QueryInput {
  /// Returns the query of the file, if there is one.
  ///
  /// - Throws: ``InputError`` or ``ToolFailure`` for a file that holds none.
  func loggedQuery() throws -> LoggedQuery? {
    guard let structuredQuery else { return nil }
    let parent = try below.map { try ResourcePath($0) } ?? .root
    return try InputFile(path: structuredQuery).read { json throws(DatabaseError) in
      try LoggedQuery(json: json, below: parent)
    }
  }

  /// Returns the number of results of the query, which must be a query for documents.
  ///
  /// - Throws: ``ToolFailure`` for any other text; the error that Hearth reports for the query.
  func count(in session: AdminSession) throws -> Int {
    guard let logged = try loggedQuery() else {
      let query = try options.query(in: session.queries)
      return try session.run(CountCall(RunnableQuery(query))).count
    }
    guard case .documents(let query) = logged.query else {
      throw ToolFailure.badInput("the file holds an aggregation query: `hearth aggregate` runs it.")
    }
    let call = try CountCall(RunnableQuery(query), at: logged.readTime(in: session))
    return try session.run(call).count
  }
}
