/// A step of a plan and the steps that feed it, as shown by explaining a query.
///
/// Its description is the tree in words, one line for each action:
///
///     union of 2 branches, ordered by c ASC, __name__ ASC
///       composite (a ASC, c ASC, __name__ ASC)  a == 1
///       merge of 2 indexes
///         composite (b ASC, c ASC, __name__ ASC)  b == "x"
///         composite (d ASC, c ASC, __name__ ASC)  d == 2
///       limit     10
public struct PlanNode: Sendable, Equatable, Codable {
  /// The action of a step.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Reads no entry.
    case nothing
    /// Reads one index.
    case scan
    /// Finds the documents that all children find, each in another index.
    case merge
    /// Finds the documents that any of the children finds, in one order.
    case union
    /// Finds the nearest documents among those of its child.
    case nearest
    /// Computes figures over the documents of its child.
    case aggregation
  }

  /// The scan of one index.
  public struct Scan: Sendable, Equatable, Codable {
    /// The kind of the index: `key`, `automatic` or `composite`.
    public let source: String
    /// The index that is read.
    public let index: IndexDefinition
    /// The conditions that fix the first columns, such as `a == 1`.
    public let conditions: [String]
    /// The extent in words if the index holds more than the query's documents; else empty.
    package let extent: String

    /// Creates the scan of an index.
    package init(source: String, index: IndexDefinition, conditions: [String], extent: String) {
      self.source = source
      self.index = index
      self.conditions = conditions
      self.extent = extent
    }
  }

  /// The work of a scan.
  public struct Work: Sendable, Equatable, Codable {
    /// The number of index entries that were read.
    public let entriesRead: Int
    /// The number of seeks in the index.
    public let seekCount: Int

    /// Creates the work of a scan.
    public init(entriesRead: Int, seekCount: Int) {
      self.entriesRead = entriesRead
      self.seekCount = seekCount
    }
  }

  /// The action of the step.
  public let kind: Kind
  /// The step in words.
  public let title: String
  /// The index scan; `nil` for a step that reads no index.
  public package(set) var scan: Scan?
  /// The orders of the step's results.
  public package(set) var orders: [Order] = []
  /// The ranges of the sorted columns, for each that is restricted. Several ranges of one column
  /// are read one by one.
  public package(set) var ranges: [[String]] = []
  /// The start of reading among the sorted columns, in words; `nil` for the first entry.
  public package(set) var start: String?
  /// The end of reading among the sorted columns, in words; `nil` for the last entry.
  public package(set) var end: String?
  /// The number of results that are skipped at the beginning.
  public package(set) var offset = 0
  /// The number of results after which the step stops; `nil` for all.
  public package(set) var limit: Int?
  /// The steps whose results this one takes.
  public package(set) var children: [PlanNode] = []
  /// The work of the scan; `nil` if the query wasn't run.
  public package(set) var work: Work?

  package init(_ kind: Kind, _ title: String) {
    self.kind = kind
    self.title = title
  }
}

extension PlanNode: CustomStringConvertible {
  public var description: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    let order = orders.map(\.description).joined(separator: ", ")
    let head = order.isEmpty ? title : "\(title), ordered by \(order)"
    let body: [String]
    switch kind {
    case .nothing: body = []
    case .scan: body = scanLines([self])
    case .union, .merge, .nearest, .aggregation: body = childLines
    }
    return [head] + (body + detailLines).map { "  \($0)" }
  }

  /// The lines of the children. A child that only reads an index has no heading of its own.
  private var childLines: [String] {
    let scans = children.filter { $0.kind == .scan && $0.orders.isEmpty }
    let rows = scanLines(scans)
    var lines: [String] = []
    var scanCount = 0
    for child in children {
      if child.kind == .scan, child.orders.isEmpty {
        lines.append(rows[scanCount])
        lines += child.detailLines.map { "  \($0)" }
        scanCount += 1
      } else {
        lines += child.lines
      }
    }
    return lines
  }

  /// Returns a line for each of the nodes, with their conditions aligned.
  private func scanLines(_ nodes: [PlanNode]) -> [String] {
    let rows = nodes.map { node in
      let scan = node.scan
      let index = scan.map { line($0.source, "\($0.index)\($0.extent)") } ?? ""
      return (index, (scan?.conditions ?? []).joined(separator: ", "), node.work?.description)
    }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { index, conditions, work in
      var text = index
      if !conditions.isEmpty {
        text += String(repeating: " ", count: width - index.count + 2) + conditions
      }
      return work.map { "\(text)  [\($0)]" } ?? text
    }
  }

  private var detailLines: [String] {
    var lines = ranges.map { line("range", $0.joined(separator: " || ")) }
    if let start { lines.append(line("start", start)) }
    if let end { lines.append(line("end", end)) }
    if offset > 0 { lines.append(line("offset", "\(offset)")) }
    if let limit { lines.append(line("limit", "\(limit)")) }
    return lines
  }
}

extension PlanNode.Work: CustomStringConvertible {
  /// The work in words, such as `20 entries, 1 seek`.
  public var description: String {
    let entries = entriesRead == 1 ? "1 entry" : "\(entriesRead) entries"
    return "\(entries), \(seekCount == 1 ? "1 seek" : "\(seekCount) seeks")"
  }
}

/// Returns a line of a word, in a column as wide as the longest one, and its text.
private func line(_ word: String, _ text: String) -> String {
  let width = "automatic".count
  return word + String(repeating: " ", count: max(0, width - word.count)) + " " + text
}
