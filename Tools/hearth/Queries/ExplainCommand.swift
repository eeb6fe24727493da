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
      what production would count. Of the indexes that are not used, it lists the five that are \
      nearest to serving; --all lists all.

        hearth explain cities -w 'countryCode == "JP"' -o 'population desc'
        hearth explain cities 'population > 1000000' --analyze
        hearth explain --structured-query query.json --json
      """)

  @OptionGroup var input: QueryInput

  @Flag(help: "Run the query too, and print what it read.")
  var analyze = false

  @Flag(help: "List all indexes that are not used, not only the five nearest.")
  var all = false

  @OptionGroup var pager: PagerOptions
  @OptionGroup var database: ReadingOptions
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
      try output.report(explanation.json(databasePath: database.path), by: pager) {
        explanation.text($0, databasePath: database.path, listingAll: all)
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
    let (query, aggregations) = try logged.query.runnable()
    return (query, aggregations, logged.explain?.analyze ?? false)
  }

  /// Prints, for each existing index, the reason why it doesn't serve a refused query.
  private func printRejections(
    of query: RunnableQuery, aggregating: [Aggregation], in session: AdminSession
  ) throws {
    let unused = try session.run(IndexesNotUsedCall(query, aggregating: aggregating)).elements
    try output.report(["indexesNotUsed": unused.map { $0.json }]) {
      unused.text($0, listingAll: all) + (unused.isEmpty ? "" : "\n")
    }
  }
}

extension QueryExplanation {
  fileprivate func text(
    _ style: OutputStyle, databasePath: String?, listingAll: Bool
  ) -> String {
    var text = plan + "\n"
    if let execution { text += "\n" + execution.text }
    for index in indexesReplacingMerges {
      let scan = tree.hasAlternatives ? "one scan for each alternative" : "one scan"
      let name = "A composite index that would serve this with \(scan)"
      text += "\n" + index.remedy(calling: name, databasePath: databasePath) + "\n"
    }
    guard !indexesNotUsed.isEmpty else { return text }
    return text + "\n" + indexesNotUsed.text(style, listingAll: listingAll)
  }

  fileprivate func json(databasePath: String?) -> JSONLine {
    let replacing = indexesReplacingMerges.map { $0.json(databasePath: databasePath, beside: []) }
    let json: JSONLine = [
      "plan": plan, "tree": tree.json, "indexesUsed": indexesUsed.map(\.json),
      "indexesNotUsed": indexesNotUsed.map(\.json),
      "indexesReplacingMerges": replacing.isEmpty ? nil : replacing,
    ]
    return json + (execution?.json ?? [:])
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

  fileprivate var json: JSONLine {
    let times: JSONLine = [
      "planning": planning.nanoseconds, "findingEntries": findingEntries.nanoseconds,
      "readingDocuments": readingDocuments.nanoseconds,
    ]
    return [
      "results": resultCount, "entriesRead": statistics.entriesRead,
      "documentsRead": statistics.documentsRead, "documentBytesRead": documentBytesRead,
      "seeks": statistics.seekCount, "documentsCovered": statistics.documentsCovered.unlessZero,
      "keptCountsRead": statistics.keptCountsRead.unlessZero,
      "deletedEntriesPassed": statistics.deletedEntriesPassed.unlessZero, "nanoseconds": times,
      "production": production.json,
    ]
  }
}

extension Int {
  /// The number; `nil` for 0.
  fileprivate var unlessZero: Int? { self == 0 ? nil : self }
}

extension Duration {
  fileprivate var nanoseconds: Int { Int(self / .nanoseconds(1)) }
  fileprivate var figure: String { Figure.duration(nanoseconds: nanoseconds) }
}

extension [QueryExplanation.UnusedIndex] {
  /// Number of indexes that are listed unless all are asked for.
  private static let listedCount = 5

  /// A line for each, below a heading; nothing where there are none. The nearest to serving come
  /// first.
  fileprivate func text(_ style: OutputStyle, listingAll: Bool) -> String {
    guard !isEmpty else { return "" }
    let nearest = enumerated()
      .sorted { ($0.element.steps, $0.offset) < ($1.element.steps, $1.offset) }.map(\.element)
    let listed = listingAll ? nearest : Array(nearest.prefix(Self.listedCount))
    let more = count - listed.count
    let rest = more > 0 ? "  and \(Figure.count(more)) more: --all lists them\n" : ""
    let rows = listed.map { unused in
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
      }.joined() + style.text.faint(rest)
  }
}

extension QueryExplanation.UsedIndex {
  fileprivate var json: JSONLine {
    ["queryScope": queryScope, "properties": properties]
  }
}

extension QueryExplanation.UnusedIndex {
  /// Number of edits that would let the query use the index. Without an edit, a composite index is
  /// nearer than one that every field has.
  fileprivate var steps: Int {
    guard let edit else { return isAutomatic ? 4 : 3 }
    return edit.contains(" and ") ? 2 : 1
  }

  fileprivate var json: JSONLine {
    index.json + ["isAutomatic": isAutomatic, "reason": reason, "edit": edit]
  }
}

extension PlanNode {
  fileprivate var hasAlternatives: Bool {
    kind == .union || children.contains { $0.hasAlternatives }
  }

  fileprivate var json: JSONLine {
    [
      "kind": kind.rawValue, "title": title, "source": scan?.source,
      "index": scan?.index.description, "conditions": scan?.conditions,
      "orders": orders.isEmpty ? nil : orders.map(\.description),
      "ranges": ranges.isEmpty ? nil : ranges.map { $0.joined(separator: " || ") },
      "start": start, "end": end, "offset": offset.unlessZero, "limit": limit,
      "entriesRead": work?.entriesRead, "seeks": work?.seekCount,
      "children": children.isEmpty ? nil : children.map(\.json),
    ]
  }
}

extension QueryExplanation.ProductionStatistics {
  fileprivate var json: JSONLine {
    [
      "resultsReturned": resultsReturned, "readOperations": readOperations,
      "documentsScanned": documentsScanned, "indexEntriesScanned": indexEntriesScanned,
      "documentsBillable": documentsBillable, "indexEntriesBillable": indexEntriesBillable,
      "smallOps": smallOperations, "minQueryCost": minimumQueryCost,
      "knnVectorIndexEntriesBillable": knnVectorIndexEntriesBillable,
    ]
  }
}
