import HearthAdminSocket
import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct ExplainCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show the plan of a query, and why it doesn't use the other indexes.",
    discussion: """
      With --analyze it also runs the query, and prints what it read, where the time went, and \
      what production would count.

        hearth explain cities -w 'countryCode == "JP"' -o 'population desc'
        hearth explain cities --where 'population > 1000000' --analyze
        hearth explain --structured-query query.json --json
      """)

  @OptionGroup var input: QueryInput

  @Flag(help: "Run the query too, and print what it read.")
  var analyze = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    try database.withSession { session in
      let (query, aggregations, isAnalyzed) = try query(in: session)
      let explanation: QueryExplanation
      do {
        explanation = try session.run(
          ExplainCall(
            query, aggregating: aggregations, analyze || isAnalyzed ? .run : .plan)
        ).explanation
      } catch let error as DatabaseError {
        if error.missingIndex != nil {
          try printRejections(of: query, aggregating: aggregations, in: session)
        }
        throw error
      }
      try OutputWriter.withWriter { writer in
        if output.json {
          try writer.print(explanation.json(databasePath: database.path))
        } else {
          let style = OutputStyle.standardOutput(json: false)
          try writer.append(explanation.text(style, databasePath: database.path))
        }
      }
    }
  }

  /// The query, and whether the file asks for it to be run.
  private func query(
    in session: AdminSession
  ) throws -> (RunnableQuery, [Aggregation], isAnalyzed: Bool) {
    guard let logged = try input.loggedQuery() else {
      return (try RunnableQuery(input.options.query(in: session.queries)), [], false)
    }
    _ = try logged.readTime(in: session)
    let isAnalyzed = logged.explain?.analyze ?? false
    switch logged.query {
    case .documents(let query): return (try RunnableQuery(query), [], isAnalyzed)
    case .figures(let figures):
      return (try RunnableQuery(figures.query), figures.aggregations, isAnalyzed)
    }
  }

  /// Prints, for each existing index, the reason why it doesn't serve a refused query.
  private func printRejections(
    of query: RunnableQuery, aggregating: [Aggregation], in session: AdminSession
  ) throws {
    let unused = try session.run(IndexesNotUsedCall(query, aggregating: aggregating)).elements
    try OutputWriter.withWriter { writer in
      if output.json {
        var json = JSONLine()
        json.append("indexesNotUsed", unused.map { $0.json })
        return try writer.print(json)
      }
      let style = OutputStyle.standardOutput(json: false)
      try writer.append(unused.text(style) + (unused.isEmpty ? "" : "\n"))
    }
  }
}

extension QueryExplanation {
  fileprivate func text(_ style: OutputStyle, databasePath: String?) -> String {
    var text = plan + "\n"
    if let execution { text += "\n" + execution.text }
    for index in indexesReplacingMerges {
      let scan = tree.hasAlternatives ? "one scan for each alternative" : "one scan"
      let name = "A composite index that would serve this with \(scan)"
      text += "\n" + index.remedy(calling: name, databasePath: databasePath) + "\n"
    }
    guard !indexesNotUsed.isEmpty else { return text }
    return text + "\n" + indexesNotUsed.text(style)
  }

  fileprivate func json(databasePath: String?) -> JSONLine {
    var json = JSONLine()
    json.append("plan", .string(plan))
    json.append("tree", tree.json)
    json.append("indexesUsed", indexesUsed.map(\.json))
    json.append("indexesNotUsed", indexesNotUsed.map(\.json))
    if !indexesReplacingMerges.isEmpty {
      json.append(
        "indexesReplacingMerges",
        indexesReplacingMerges.map { $0.json(databasePath: databasePath, beside: []) })
    }
    if let execution { execution.append(to: &json) }
    return json
  }
}

extension QueryExplanation.Execution {
  /// Three lines: what was read, what that took, and what production would count.
  fileprivate var text: String {
    var reads = [
      Figure.counted(resultCount, "result"),
      Figure.counted(statistics.entriesRead, "index entry", "index entries") + " read",
      "\(Figure.counted(statistics.documentsRead, "document")) of "
        + "\(Figure.bytes(documentBytesRead)) read",
      Figure.counted(statistics.seekCount, "seek"),
    ]
    if statistics.documentsCovered > 0 {
      reads.append(Figure.counted(statistics.documentsCovered, "document") + " taken from entries")
    }
    if statistics.keptCountsRead > 0 {
      reads.append(Figure.counted(statistics.keptCountsRead, "kept count") + " read")
    }
    if statistics.deletedEntriesPassed > 0 {
      let count = statistics.deletedEntriesPassed
      reads.append(Figure.counted(count, "deleted entry", "deleted entries") + " passed")
    }
    let times = [
      "\(planning.figure) planning", "\(findingEntries.figure) finding entries",
      "\(readingDocuments.figure) reading documents",
    ]
    let counts = [
      Figure.counted(production.readOperations, "read operation"),
      Figure.counted(production.documentsScanned, "document"),
      Figure.counted(production.indexEntriesScanned, "index entry", "index entries"),
    ]
    return reads.joined(separator: ", ") + "\n" + times.joined(separator: ", ")
      + "\nin production: " + counts.joined(separator: ", ") + "\n"
  }

  fileprivate func append(to json: inout JSONLine) {
    json.append("results", .integer(Int64(resultCount)))
    json.append("entriesRead", .integer(Int64(statistics.entriesRead)))
    json.append("documentsRead", .integer(Int64(statistics.documentsRead)))
    json.append("documentBytesRead", .integer(Int64(documentBytesRead)))
    json.append("seeks", .integer(Int64(statistics.seekCount)))
    if statistics.documentsCovered > 0 {
      json.append("documentsCovered", .integer(Int64(statistics.documentsCovered)))
    }
    if statistics.keptCountsRead > 0 {
      json.append("keptCountsRead", .integer(Int64(statistics.keptCountsRead)))
    }
    if statistics.deletedEntriesPassed > 0 {
      json.append("deletedEntriesPassed", .integer(Int64(statistics.deletedEntriesPassed)))
    }
    var times = JSONLine()
    times.append("planning", .integer(planning.nanoseconds))
    times.append("findingEntries", .integer(findingEntries.nanoseconds))
    times.append("readingDocuments", .integer(readingDocuments.nanoseconds))
    json.append("nanoseconds", times)
    json.append("production", production.json)
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
  fileprivate var figure: String { Figure.duration(nanoseconds: nanoseconds) }
}

extension [QueryExplanation.UnusedIndex] {
  /// A line for each, below a heading; nothing where there are none.
  fileprivate func text(_ style: OutputStyle) -> String {
    guard !isEmpty else { return "" }
    let rows = map { unused in
      (
        index: "\(unused.isAutomatic ? "automatic" : "composite") \(unused.index)",
        reason: unused.edit.map { "\(unused.reason); \($0)" } ?? unused.reason
      )
    }
    let width = rows.map(\.index.displayWidth).max() ?? 0
    return style.text.bold("Indexes not used") + "\n"
      + rows.map { row in
        let padding = String(repeating: " ", count: width - row.index.displayWidth)
        return "  \(row.index)\(padding)  \(row.reason)\n"
      }.joined()
  }
}

extension QueryExplanation.UsedIndex {
  fileprivate var json: JSONLine {
    var json = JSONLine()
    json.append("queryScope", .string(queryScope))
    json.append("properties", .string(properties))
    return json
  }
}

extension QueryExplanation.UnusedIndex {
  fileprivate var json: JSONLine {
    var json = index.json
    json.append("isAutomatic", .boolean(isAutomatic))
    json.append("reason", .string(reason))
    if let edit { json.append("edit", .string(edit)) }
    return json
  }
}

extension PlanNode {
  fileprivate var hasAlternatives: Bool {
    kind == .union || children.contains { $0.hasAlternatives }
  }

  fileprivate var json: JSONLine {
    var json = JSONLine()
    json.append("kind", .string(kind.rawValue))
    json.append("title", .string(title))
    if let scan {
      json.append("source", .string(scan.source))
      json.append("index", .string(scan.index.description))
      json.append("conditions", .array(scan.conditions.map(Value.string)))
    }
    if !orders.isEmpty { json.append("orders", .array(orders.map { .string($0.description) })) }
    if !ranges.isEmpty {
      json.append("ranges", .array(ranges.map { .string($0.joined(separator: " || ")) }))
    }
    if let start { json.append("start", .string(start)) }
    if let end { json.append("end", .string(end)) }
    if offset > 0 { json.append("offset", .integer(Int64(offset))) }
    if let limit { json.append("limit", .integer(Int64(limit))) }
    if let work {
      json.append("entriesRead", .integer(Int64(work.entriesRead)))
      json.append("seeks", .integer(Int64(work.seekCount)))
    }
    if !children.isEmpty { json.append("children", children.map(\.json)) }
    return json
  }
}

extension QueryExplanation.ProductionStatistics {
  fileprivate var json: JSONLine {
    var json = JSONLine()
    var figures = [
      ("resultsReturned", resultsReturned), ("readOperations", readOperations),
      ("documentsScanned", documentsScanned), ("indexEntriesScanned", indexEntriesScanned),
      ("documentsBillable", documentsBillable), ("indexEntriesBillable", indexEntriesBillable),
      ("smallOps", smallOperations), ("minQueryCost", minimumQueryCost),
    ]
    if let knnVectorIndexEntriesBillable {
      figures.append(("knnVectorIndexEntriesBillable", knnVectorIndexEntriesBillable))
    }
    for (name, count) in figures { json.append(name, .integer(Int64(count))) }
    return json
  }
}
