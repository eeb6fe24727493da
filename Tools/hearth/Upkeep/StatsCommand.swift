import HearthAdminSocket
import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct StatsCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show the size of the database, and the size and use of each index.",
    discussion: """
      The figures are known without counting, so the command takes no longer for a large database \
      than for a small one. --complete counts documents, collections, and each index's entries \
      with their bytes, which takes about as long as reading all entries. If sums are kept \
      (hearth index tune --sums), they have the numbers of documents and of the composite indexes' \
      entries anyway. A missing figure is a "-". Bytes on disk are estimates of the store, which \
      may lack the latest writes; everything else is exact. With --json, "estimated" lists the \
      estimates, and "leftOut" the missing figures.

      A field's ascending and descending index share their entries, and one line. Bytes are those \
      of keys and values before compression.

      In a pipe each figure is a line of name, tab and value. After them follows a line for each \
      index, with columns separated by tabs: kind, collection id, scope, fields, state, entries, \
      bytes, bytes on disk, queries, last used, writes of entries. --format csv has the indexes \
      alone.

        hearth stats --db cities.hearth
        hearth stats --complete --json
      """)

  @Flag(help: "Count documents, collections and index entries too, which reads all entries.")
  var complete = false

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func run() throws {
    let statistics = try database.run(
      StatisticsCall(countingEntries: complete), showing: "stats", of: "entries")
    try output.pager.withWriter { try write(statistics, to: $0) }
  }

  private func write(_ statistics: DatabaseStatistics, to writer: OutputWriter) throws {
    let style = output.style
    guard style.form == .jsonLines, style.isChosen else {
      return try writer.append(statistics.text(style))
    }
    try writer.print(statistics.json)
  }
}

extension DatabaseStatistics {
  /// Returns the figures, one per line, and the indexes.
  fileprivate func text(_ style: OutputStyle) -> String {
    let rows = indexes.map { UsageRow(index: $0).cells(style) }
    switch style.form {
    case .jsonLines:
      return figures.map { "\($0.name)\t\($0.value)\n" }.joined()
        + rows.map { $0.map(\.printable).joined(separator: "\t") + "\n" }.joined()
    case .csv:
      return ([UsageRow.columns.map(\.title)] + rows).map(CSVText.line).joined()
    case .vertical:
      let records =
        [("database", figures.map { ($0.name, $0.words) })]
        + rows.enumerated().map { place, cells in
          ("index \(place + 1)", Array(zip(UsageRow.columns.map(\.title), cells)))
        }
      return records.map { VerticalRecord($0.1).text(title: $0.0, style) }.joined()
    case .tables:
      var table = TextTable(UsageRow.columns)
      for row in rows { table.append(row) }
      let indexes = table.text(
        width: style.width, style: style.text, advice: TextTable.advice)
      return figureLines(style) + (rows.isEmpty ? "" : "\n" + indexes)
    }
  }

  private func figureLines(_ style: OutputStyle) -> String {
    let width = figures.map(\.name.displayWidth).max() ?? 0
    return figures.map { figure in
      let padding = String(repeating: " ", count: width - figure.name.displayWidth)
      return style.text.bold(figure.name) + padding + "  \(figure.words)\n"
    }.joined()
  }

  /// Figures, each with its value for programs and for people.
  private var figures: [(name: String, value: String, words: String)] {
    var figures: [(name: String, value: String, words: String)] = []
    func append(_ name: String, count: Int?) {
      figures.append(
        (name, count.map { String($0) } ?? "-", count.map(Figure.count) ?? "- (see --complete)"))
    }
    func append(_ name: String, bytes: Int, isEstimate: Bool = false) {
      let words = (isEstimate ? "about " : "") + Figure.bytes(bytes)
      figures.append((name, String(bytes), words))
    }
    func append(_ name: String, time: Timestamp) {
      figures.append((name, time.rfc3339, time.rfc3339))
    }
    append("documents", count: documentCount)
    append("collections", count: collectionCount)
    append("commits", count: commitCount)
    if commitCount > 0 { append("last commit", time: lastCommitTime) }
    if let commitTimeLead {
      let seconds = Int(commitTimeLead / .seconds(1))
      figures.append(
        ("ahead of the clock", String(seconds), "\(Figure.count(seconds)) seconds"))
    }
    append("on disk", bytes: diskByteCount, isEstimate: true)
    append("cached documents", count: caches.documentCount)
    append("cached bytes", bytes: caches.documentByteCount + caches.scanByteCount)
    if let rate = caches.documentHitRate {
      let percent = Figure.threeDigits(rate * 100) + "%"
      figures.append(("cache hit rate", percent, percent))
    }
    append("cached scans", count: caches.scanCount)
    append("past moments", count: historyMomentCount)
    append("listeners", count: listenerCount)
    let sums = keepsSums ? "kept" : "not kept"
    figures.append(("sums of entries", sums, sums))
    append("use recorded since", time: usageStart)
    if let usageFailure { figures.append(("use not saved", usageFailure, usageFailure)) }
    return figures
  }

  fileprivate var json: JSONLine {
    [
      "documents": documentCount, "collections": collectionCount, "commits": commitCount,
      "lastCommitTime": commitCount > 0 ? lastCommitTime : Value.null,
      "commitTimeLeadSeconds": commitTimeLead.map { Int($0 / .seconds(1)) },
      "diskBytes": diskByteCount, "caches": caches.json, "pastMoments": historyMomentCount,
      "pastBytes": historyByteCount, "listeners": listenerCount, "keepsSums": keepsSums,
      "usageRecordedSince": usageStart, "usageFailure": usageFailure,
      "indexes": indexes.map { UsageRow(index: $0).json },
      "estimated": ["diskBytes", "indexes.diskBytes"], "leftOut": leftOut,
    ]
  }

  /// Names of the JSON members that are missing, or missing for some index.
  private var leftOut: [String] {
    let figures = [
      ("documents", documentCount == nil), ("collections", collectionCount == nil),
      ("indexes.entries", indexes.contains { $0.entryCount == nil }),
      ("indexes.bytes", indexes.contains { $0.byteCount == nil }),
      ("indexes.diskBytes", indexes.contains { $0.diskByteCount == nil }),
    ]
    return figures.filter(\.1).map(\.0)
  }
}

extension CacheStatistics {
  fileprivate var json: JSONLine {
    [
      "documents": documentCount, "documentBytes": documentByteCount,
      "documentHits": documentHitCount, "documentMisses": documentMissCount, "scans": scanCount,
      "scanBytes": scanByteCount,
    ]
  }
}
