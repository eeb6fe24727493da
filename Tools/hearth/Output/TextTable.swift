/// Rows in aligned columns under a header, for terminals.
///
/// Written here because the available packages measure text in characters, so that Japanese or
/// combining ones break the columns, and don't fit a table to a terminal.
package struct TextTable: Sendable {
  package struct Column: Sendable {
    package enum Alignment: Sendable {
      case left, right
      /// Left, in several lines where one is too narrow; for the last column.
      case wrapped
    }

    package let title: String
    package let alignment: Alignment
    /// Whether cells keep their width when the line is narrow. Numbers, on the right, do too.
    package let isWhole: Bool

    package init(_ title: String, _ alignment: Alignment = .left, isWhole: Bool = false) {
      self.title = title
      self.alignment = alignment
      self.isWhole = isWhole
    }
  }

  /// The advice for a list whose columns have no room.
  static let advice = "--format vertical shows all"

  private let columns: [Column]
  private var rows: [[String]] = []

  package init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row. Missing cells are empty, and cells beyond the last column are left out.
  package mutating func append(_ cells: [String]) {
    rows.append(cells)
  }

  /// Returns the lines, each with a newline at its end; only the header if there are no rows.
  ///
  /// - Parameters:
  ///   - width: the columns to fit into; `nil` to cut nothing.
  ///   - advice: a way to the columns that have no room; `nil` for none.
  package func text(
    width: Int?, style: TextStyle = .plain, advice: String? = nil
  ) -> String {
    var layout = TableLayout(columns, fitting: rows, to: width)
    let body = rows.map { layout.line($0) }
    return layout.header(style) + body.joined() + layout.notes(style, advice: advice)
  }
}
