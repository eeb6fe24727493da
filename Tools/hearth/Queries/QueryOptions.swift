import ArgumentParser
import HearthFirestoreJSON
import Hearth

/// A query as a person types it.
struct QueryOptions: ParsableArguments {
  @Argument(
    help: "The path of a collection or, with --group, the id of all collections to query.",
    completion: .paths)
  var collection: String?

  @Argument(
    help: ArgumentHelp(
      "Conditions, such as 'population > 1000000'; the same as --where.", valueName: "conditions"))
  var plainConditions: [String] = []

  @Flag(help: "Query all collections of that id, at any depth.")
  var group = false

  @Option(
    name: [.customLong("where"), .customShort("w")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Conditions, such as 'population > 1000000 && countryCode == \"JP\"'; "
        + "if given several times, all must hold.",
      valueName: "conditions"))
  var conditions: [String] = []

  @Option(
    name: [.customLong("order-by"), .customShort("o")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Fields to sort by, such as 'population desc, name'.", valueName: "fields"))
  var orders: [String] = []

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional, help: "At most this many results.")
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The last results, in the same order.", valueName: "limit"))
  var limitToLast: Int?

  @Option(parsing: .unconditional, help: "Skip this many results at the beginning.")
  var offset: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start at these values of the fields in the order, such as '1000000, \"x\"'.",
      valueName: "values"))
  var startAt: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Start after these values.", valueName: "values"))
  var startAfter: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("End with these values.", valueName: "values"))
  var endAt: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("End before these values.", valueName: "values"))
  var endBefore: String?

  func validate() throws {
    if limit != nil && limitToLast != nil {
      throw ValidationError("--limit and --limit-to-last exclude each other.")
    }
    if startAt != nil && startAfter != nil {
      throw ValidationError("--start-at and --start-after exclude each other.")
    }
    if endAt != nil && endBefore != nil {
      throw ValidationError("--end-at and --end-before exclude each other.")
    }
  }
}

extension QueryOptions {
  /// Whether any option is given that belongs to a query given by options.
  var isRefined: Bool {
    group || !plainConditions.isEmpty || !conditions.isEmpty || !orders.isEmpty || limit != nil
      || limitToLast != nil
      || offset != nil || startAt != nil || startAfter != nil || endAt != nil || endBefore != nil
  }

  /// Returns the scope to which names in the query's texts are relative.
  func scope(in database: Database) throws -> NameScope {
    NameScope(try database.id(), collection: group ? nil : try ResourcePath(collection ?? ""))
  }

  /// Returns the query.
  ///
  /// - Throws: ``ToolFailure`` for any other text; the error that Hearth reports for the query.
  func query(in database: Database) throws -> Query {
    let collection = collection ?? ""
    let source =
      group
      ? try database.collectionGroup(collection) : try database.collection(collection).query
    let scope = try scope(in: database)
    var query = source
    for text in plainConditions { query = query.whereFilter(try condition(text, in: scope)) }
    for text in conditions {
      query = query.whereFilter(
        try ToolFailure.reading("--where") { try WhereClause.parse(text, in: scope) })
    }
    let orders = try orders.flatMap { text in
      try ToolFailure.reading("--order-by") { try OrderClause.parse(text) }
    }
    for order in orders {
      query = try query.order(
        by: order.field.description, descending: order.direction == .descending)
    }
    let cursor = { (option: String, text: String) in
      try ToolFailure.reading(option) { try CursorText.parse(text, orders: orders, in: scope) }
    }
    if let startAt { query = query.start(at: try cursor("--start-at", startAt)) }
    if let startAfter { query = query.start(after: try cursor("--start-after", startAfter)) }
    if let endAt { query = query.end(at: try cursor("--end-at", endAt)) }
    if let endBefore { query = query.end(before: try cursor("--end-before", endBefore)) }
    if let limit { query = query.limit(to: limit) }
    if let limitToLast { query = query.limit(toLast: limitToLast) }
    if let offset { query = query.offset(offset) }
    return query
  }

  /// Returns the filter of a condition that follows the collection.
  private func condition(_ text: String, in scope: NameScope) throws(ToolFailure) -> Filter {
    do throws(ToolFailure) {
      return try ToolFailure.reading("The condition") { try WhereClause.parse(text, in: scope) }
    } catch {
      // A shell splits what stands in no quotes.
      guard plainConditions.count > 1 else { throw error }
      let whole = plainConditions.joined(separator: " ").shellWord
      throw .badInput("\(error.message)\nA condition is one word of the command line: \(whole)")
    }
  }
}
