/// Rows in aligned columns under a header, for terminals.
///
/// Written here because the available packages measure text in characters, so that Japanese or
/// combining ones break the columns, and don't fit a table to a terminal.
package struct TextTable: Sendable {
  package struct Column: Sendable {
    package enum Alignment: Sendable { case left, right }

    package let title: String
    package let alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// Width of the narrowest column in a table that is fitted to a terminal.
  private static let narrowest = 8
  private static let gap = "  "

  private let columns: [Column]
  private var rows: [[String]] = []

  package init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row. Missing cells are empty, and cells beyond the last column are left out.
  package mutating func append(_ cells: [String]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0].printable : "" })
  }

  /// Returns the lines, each with a newline at its end; only the header if there are no rows.
  ///
  /// - Parameter width: the columns to fit into, by cutting the widest cells; `nil` to cut nothing.
  package func text(width: Int?, style: TextStyle = .plain) -> String {
    let widths = columnWidths(fitting: width)
    let header = line(columns.map(\.title), widths: widths)
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: TextTable.gap)
    let body = rows.map { line($0, widths: widths) }
    return ([style.bold(header), style.faint(rule)] + body).map { $0 + "\n" }.joined()
  }

  private func columnWidths(fitting width: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].displayWidth) }
    }
    guard let width else { return widths }
    let gaps = TextTable.gap.count * max(columns.count - 1, 0)
    while widths.reduce(gaps, +) > width, let widest = widths.max(), widest > TextTable.narrowest,
      let index = widths.firstIndex(of: widest)
    {
      widths[index] -= 1
    }
    return widths
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let cell = cell.cut(toWidth: widths[index])
      let padding = String(repeating: " ", count: widths[index] - cell.displayWidth)
      if index > 0 { line += TextTable.gap }
      line += columns[index].alignment == .left ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
