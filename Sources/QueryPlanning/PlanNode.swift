/// A step of a plan and the steps that feed it: what explaining a query shows.
///
/// Its description is the tree in words, a line for each thing that is done:
///
///     union of 2 branches, ordered by c ASC, __name__ ASC
///       composite (a ASC, c ASC, __name__ ASC)  a == 1
///       merge of 2 indexes
///         composite (b ASC, c ASC, __name__ ASC)  b == "x"
///         composite (d ASC, c ASC, __name__ ASC)  d == 2
///       limit     10
public struct PlanNode: Sendable, Equatable {
  /// What a step does.
  public enum Kind: String, Sendable, Hashable {
    /// No entry is read.
    case nothing
    /// Reads one index.
    case scan
    /// The documents that all children find, each by another index.
    case merge
    /// The documents that any of the children finds, in one order.
    case union
    /// The documents of its child that lie closest.
    case nearest
    /// Figures over what its child finds.
    case aggregation
  }

  /// An index that is read.
  public struct Scan: Sendable, Equatable {
    /// `key`, `automatic` or `composite`.
    public let source: String
    /// The index that is read.
    public let index: IndexDefinition
    /// What the first columns are fixed to, such as `a == 1`.
    public let conditions: [String]
    /// Where the index holds more than the query looks at, in words.
    package let extent: String

    /// A step that reads an index.
    package init(source: String, index: IndexDefinition, conditions: [String], extent: String) {
      self.source = source
      self.index = index
      self.conditions = conditions
      self.extent = extent
    }
  }

  /// What a scan took.
  public struct Work: Sendable, Equatable {
    /// Index entries that were read.
    public let entriesRead: Int
    /// How often the step jumped in the index.
    public let seekCount: Int

    /// What a step took.
    public init(entriesRead: Int, seekCount: Int) {
      self.entriesRead = entriesRead
      self.seekCount = seekCount
    }
  }

  /// What the step does.
  public let kind: Kind
  /// The step in words.
  public let title: String
  /// What is read, where the step reads an index.
  public package(set) var scan: Scan?
  /// What results come ordered by.
  public package(set) var orders: [Order] = []
  /// What the sorted columns lie in, for each that is limited; a list of ranges is read one by one.
  public package(set) var ranges: [[String]] = []
  /// Where reading starts and ends among the sorted columns, in words.
  public package(set) var start: String?
  /// The end of that.
  public package(set) var end: String?
  /// How many results are left out at the beginning.
  public package(set) var offset = 0
  /// After how many results it stops.
  public package(set) var limit: Int?
  /// The steps whose results this one takes.
  public package(set) var children: [PlanNode] = []
  /// `nil` where the query wasn't run.
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

  /// The children, those that only read an index without headings of their own.
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

  /// A line for each of the nodes, their conditions below each other.
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
  /// Such as `20 entries, 1 seek`.
  public var description: String {
    let entries = entriesRead == 1 ? "1 entry" : "\(entriesRead) entries"
    return "\(entries), \(seekCount == 1 ? "1 seek" : "\(seekCount) seeks")"
  }
}

/// A word in a column as wide as the longest of them, and what it says.
private func line(_ word: String, _ text: String) -> String {
  let width = "automatic".count
  return word + String(repeating: " ", count: max(0, width - word.count)) + " " + text
}
