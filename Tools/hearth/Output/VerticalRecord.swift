/// A row as lines, one for each field, under a title.
package struct VerticalRecord {
  private static let gap = 2
  /// Width of the narrowest value on a terminal.
  private static let narrowest = 16

  private let fields: [(name: String, value: String)]

  package init(_ fields: [(String, String)]) {
    self.fields = fields.map { ($0.0.printable, $0.1.printable) }
  }

  /// Returns the lines, each with its end. A value that is wider than the terminal goes on in
  /// further lines.
  package func text(title: String, _ style: OutputStyle) -> String {
    let rule = "─[ \(title.printable) ]─"
    let nameWidth = fields.map(\.name.displayWidth).max() ?? 0
    let indent = nameWidth + VerticalRecord.gap
    let room = style.width.map { max($0 - indent, VerticalRecord.narrowest) }
    let body = fields.map { field in
      let padding = String(repeating: " ", count: indent - field.name.displayWidth)
      let lines = room.map(field.value.wrapped(toWidth:)) ?? [field.value]
      let value = lines.joined(separator: "\n" + String(repeating: " ", count: indent))
      return style.text.bold(field.name) + (value.isEmpty ? "" : padding + value) + "\n"
    }
    return style.text.faint(rule) + "\n" + body.joined()
  }
}

extension String {
  /// Returns the text in lines of at most `width` columns, broken at spaces where that wastes less
  /// than half of a line.
  package func wrapped(toWidth width: Int) -> [String] {
    guard width > 1, displayWidth > width else { return [self] }
    var lines: [String] = []
    var rest = self[...]
    while !rest.isEmpty {
      var (end, used, lastSpace) = (rest.startIndex, 0, rest.startIndex)
      while end < rest.endIndex, used + String(rest[end]).displayWidth <= width {
        used += String(rest[end]).displayWidth
        if rest[end] == " " { lastSpace = end }
        end = rest.index(after: end)
      }
      let isBroken = end < rest.endIndex && rest[end] != " "
      let atSpace = rest.distance(from: rest.startIndex, to: lastSpace) > width / 2
      let cut = isBroken && atSpace ? lastSpace : end
      lines.append(String(rest[..<cut]))
      rest = rest[cut...].drop { $0 == " " }
    }
    return lines
  }
}
