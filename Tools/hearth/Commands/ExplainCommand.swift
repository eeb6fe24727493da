import ArgumentParser
import Hearth

struct ExplainCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show how a query runs, and why it does not use the other indexes.",
    discussion: """
      Runs the query, and tells the index entries and documents that it read.

        hearth explain cities -w 'countryCode == "JP"' -o 'population desc'
        hearth explain cities --where 'population > 1000000' --plan-only
      """)

  @OptionGroup var options: QueryOptions

  @Flag(help: "Show the plan without running the query.")
  var planOnly = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    try database.withDatabase { database in
      let query = try options.query(in: database)
      let explanation: QueryExplanation
      do throws(DatabaseError) {
        explanation = try query.explain(running: !planOnly)
      } catch {
        if error.missingIndex != nil, !output.json { try printRejections(of: query) }
        throw error
      }
      try OutputWriter.withWriter { writer in
        if output.json {
          try writer.print(explanation.json)
        } else {
          try writer.append(explanation.text(OutputStyle.standardOutput(json: false)))
        }
      }
    }
  }

  /// Why none of the indexes there are serves a refused query.
  private func printRejections(of query: Query) throws {
    let unused = try query.indexesNotUsed()
    let style = OutputStyle.standardOutput(json: false)
    try OutputWriter.withWriter { writer in
      try writer.append(unused.text(style) + (unused.isEmpty ? "" : "\n"))
    }
  }
}

extension QueryExplanation {
  fileprivate func text(_ style: OutputStyle) -> String {
    var text = plan + "\n"
    if let statistics, let resultCount {
      let figures = [
        Figure.counted(resultCount, "result"),
        Figure.counted(statistics.entriesRead, "index entry", "index entries") + " read",
        Figure.counted(statistics.documentsRead, "document") + " read",
        Figure.counted(statistics.seekCount, "seek"),
      ]
      text += "\n" + figures.joined(separator: ", ") + "\n"
    }
    guard !indexesNotUsed.isEmpty else { return text }
    return text + "\n" + indexesNotUsed.text(style)
  }

  fileprivate var json: JSONLine {
    var json = JSONLine()
    json.append("plan", .string(plan))
    json.append("indexesUsed", indexesUsed.map(\.json))
    json.append("indexesNotUsed", indexesNotUsed.map(\.json))
    if let statistics, let resultCount {
      json.append("results", .integer(Int64(resultCount)))
      json.append("entriesRead", .integer(Int64(statistics.entriesRead)))
      json.append("documentsRead", .integer(Int64(statistics.documentsRead)))
      json.append("seeks", .integer(Int64(statistics.seekCount)))
    }
    return json
  }
}

extension [QueryExplanation.UnusedIndex] {
  /// A line for each, below a heading; nothing where there are none.
  fileprivate func text(_ style: OutputStyle) -> String {
    guard !isEmpty else { return "" }
    let rows = map { unused in
      (
        index: "\(unused.isAutomatic ? "automatic" : "composite") \(unused.index)",
        reason: unused.reason
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
    return json
  }
}
