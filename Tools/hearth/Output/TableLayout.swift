/// The columns that a table shows, with their widths, which its first rows decide.
package struct TableLayout: Sendable {
  /// Width of the narrowest column whose cells or title are cut.
  private static let narrowest = 10
  private static let gap = "  "

  /// A column that is left out because all its cells are the same.
  private struct Constant {
    let place: Int
    let value: String
    /// Whether a later row has another cell.
    var varies = false
  }

  /// A column that is shown.
  private struct Shown {
    let place: Int
    var width: Int
    /// The least width.
    let floor: Int
  }

  private let columns: [TextTable.Column]
  private var shown: [Shown] = []
  private var constants: [Constant] = []
  /// Titles of the columns without room.
  private var hidden: [String] = []
  /// Number of the terminal's columns; `nil` for none.
  private let width: Int?

  /// Creates a layout for `columns`, of which `rows` are the first rows.
  package init(_ columns: [TextTable.Column], fitting rows: [[String]], to width: Int?) {
    self.columns = columns
    self.width = width
    shown = columns.indices.map { TableLayout.shown($0, as: columns[$0], rows) }
    guard let width else { return }
    dropConstants(of: rows, to: width)
    dropLast(to: width)
    shrink(to: width)
  }

  private static func shown(_ place: Int, as column: TextTable.Column, _ rows: [[String]]) -> Shown
  {
    let cells = rows.reduce(0) { max($0, cell(place, of: $1).displayWidth) }
    let width = max(cells, column.title.displayWidth)
    let floor =
      if column.isWhole {
        width
      } else if column.alignment == .right {
        // A part of a number would be another number.
        max(cells, min(width, narrowest))
      } else {
        min(width, narrowest)
      }
    return Shown(place: place, width: width, floor: floor)
  }

  private static func cell(_ place: Int, of row: [String]) -> String {
    place < row.count ? row[place].printable : ""
  }

  private func total(_ width: KeyPath<Shown, Int>) -> Int {
    shown.reduce(TableLayout.gap.count * max(shown.count - 1, 0)) { $0 + $1[keyPath: width] }
  }

  /// Leaves out columns of equal cells, from the right, until the rest has room.
  private mutating func dropConstants(of rows: [[String]], to width: Int) {
    guard rows.count > 1, let first = rows.first else { return }
    for place in columns.indices.reversed() where place > 0 && !columns[place].isWhole {
      guard total(\.width) > width else { return }
      let value = TableLayout.cell(place, of: first)
      guard rows.allSatisfy({ TableLayout.cell(place, of: $0) == value }) else { continue }
      constants.insert(Constant(place: place, value: value), at: 0)
      shown.removeAll { $0.place == place }
    }
  }

  /// Leaves out columns, from the right, until the rest has room at its least width.
  private mutating func dropLast(to width: Int) {
    while total(\.floor) > width,
      let last = shown.last(where: { $0.place > 0 && !columns[$0.place].isWhole })
    {
      hidden.insert(columns[last.place].title, at: 0)
      shown.removeAll { $0.place == last.place }
    }
  }

  /// Narrows the widest columns until all have room.
  private mutating func shrink(to width: Int) {
    while total(\.width) > width {
      let places = shown.indices.filter { shown[$0].width > shown[$0].floor }
      guard let widest = places.max(by: { shown[$0].width < shown[$1].width }) else { return }
      shown[widest].width -= 1
    }
  }
}

extension TableLayout {
  /// Returns the titles and a rule below them.
  package func header(_ style: TextStyle) -> String {
    let titles = shown.map { columns[$0.place].title.printable.cut(toWidth: $0.width) }
    let rule = shown.map { String(repeating: "─", count: $0.width) }
    return style.bold(aligned(titles)) + "\n"
      + style.faint(rule.joined(separator: TableLayout.gap)) + "\n"
  }

  /// Returns the line of a row, with its end.
  package mutating func line(_ row: [String]) -> String {
    for index in constants.indices
    where TableLayout.cell(constants[index].place, of: row) != constants[index].value {
      constants[index].varies = true
    }
    // The last column may take what is left of the line.
    let rest = max((width ?? 0) - total(\.width), 0)
    var further: [String] = []
    let cells = shown.map { column in
      let cell = TableLayout.cell(column.place, of: row)
      let alignment = columns[column.place].alignment
      guard width != nil, alignment != .right else { return cell }
      let room = column.width + (column.place == shown.last?.place ? rest : 0)
      guard alignment == .wrapped else { return cell.cut(toWidth: room) }
      let lines = cell.wrapped(toWidth: room)
      further = Array(lines.dropFirst())
      return lines.first ?? ""
    }
    let indent = shown.dropLast().map { _ in "" }
    return ([cells] + further.map { indent + [$0] }).map { aligned($0) + "\n" }.joined()
  }

  private func aligned(_ cells: [String]) -> String {
    var line = ""
    for (column, cell) in zip(shown, cells) {
      let padding = String(repeating: " ", count: max(column.width - cell.displayWidth, 0))
      if column.place != shown.first?.place { line += TableLayout.gap }
      line += columns[column.place].alignment == .right ? padding + cell : cell + padding
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns lines on the columns that were left out, each with its end.
  package func notes(_ style: TextStyle, advice: String?) -> String {
    let same = constants.filter { !$0.varies }.map { constant in
      let title = columns[constant.place].title
      return constant.value.isEmpty ? "no \(title)" : "\(title) \(constant.value)"
    }
    let missing = constants.filter(\.varies).map { columns[$0.place].title } + hidden
    var notes: [String] = []
    if !same.isEmpty { notes.append("the same in all rows: " + same.joined(separator: ", ")) }
    if !missing.isEmpty {
      let count = Figure.counted(missing.count, "more column")
      notes.append("\(count)\(advice.map { " (\($0))" } ?? ""): \(missing.joined(separator: ", "))")
    }
    return notes.map { style.faint($0.printable.cut(toWidth: width ?? .max)) + "\n" }.joined()
  }
}
