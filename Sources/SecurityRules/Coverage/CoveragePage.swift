/// A coverage as one HTML page that needs no other file: the text of the rules, in which each
/// expression has the colour and the sign of its state.
public struct CoveragePage {
  private let title: String
  private let caption: String
  private let source: String
  private let units: [UInt16]
  private let expressions: [CoveredExpression]
  private let notable: [CoveredExpression]

  /// - Parameters:
  ///   - title: the name of the rules.
  ///   - caption: a line on what was judged.
  public init(of coverage: RulesCoverage, title: String, caption: String) {
    (self.title, self.caption) = (title, caption)
    source = coverage.ruleset.source
    units = Array(source.utf16)
    expressions = coverage.expressions
    notable = CoveredExpression.notable(in: expressions)
  }

  /// The text of the page.
  public var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title.escapedForPage): coverage</title>
    <style>\(CoveragePage.style)</style></head><body>
    <h1>\(title.escapedForPage)</h1>
    <p>\(caption.escapedForPage)</p>
    <p class="k">\(legend)</p>
    <div class="c"><pre class="n">\(lineNumbers)</pre><pre>\(code)</pre></div>
    \(gaps)</body></html>

    """
  }

  /// The states that are marked, with their number of expressions and their meaning.
  private static let marked: [(state: CoveredExpression.State, meaning: String)] = [
    (.unreached, "never evaluated"), (.onlyErrors, "errors alone"),
    (.onlyTrue, "true, never false"),
    (.onlyFalse, "false, never true"), (.both, "true and false"),
  ]

  private var legend: String {
    CoveragePage.marked.map { state, meaning in
      let count = CoveredExpression.count(state, in: expressions)
      return "<span class=\"\(state.mark)\">\(meaning)</span> \(count)"
    }.joined(separator: " &emsp;")
  }

  // MARK: The text

  /// The numbers of the lines, in the colour of the worst state that begins there.
  private var lineNumbers: String {
    var worst: [Int: CoveredExpression.State] = [:]
    for row in notable {
      let line = row.range.start.line
      guard let other = worst[line], other.weight <= row.state.weight else {
        worst[line] = row.state
        continue
      }
    }
    let lineCount = source.unicodeScalars.count { $0 == "\n" } + 1
    return (1...lineCount).map { line in
      let mark = worst[line].map { " class=\"\($0.mark)\"" } ?? ""
      return "<b id=\"L\(line)\"\(mark)>\(line)</b>"
    }.joined(separator: "\n")
  }

  /// The text, with an element for each expression that is shown. Expressions lie apart or inside
  /// of one another, and those around come first.
  private var code: String {
    var html = ""
    var position = 0
    var ends: [Int] = []
    func append(to end: Int) {
      guard end > position else { return }
      html += text(from: position, to: end).escapedForPage
      position = end
    }
    func closeElements(before start: Int) {
      while let end = ends.last, end <= start {
        append(to: end)
        html += "</span>"
        ends.removeLast()
      }
    }
    for row in notable {
      let start = row.range.start.offset
      closeElements(before: start)
      append(to: start)
      html += "<span class=\"\(row.state.mark)\" title=\"\(row.outcomes.text)\">"
      ends.append(min(row.range.endOffset + 1, ends.last ?? units.count))
    }
    closeElements(before: units.count)
    append(to: units.count)
    return html
  }

  // MARK: The gaps

  private var gaps: String {
    let rows = notable.filter { $0.state != .both }
    guard !rows.isEmpty else { return "" }
    let lines = rows.map { row in
      let start = row.range.start
      return """
        <tr><td><a href="#L\(start.line)">\(start.line):\(start.column)</a>\
        <td>\(row.state.rawValue)<td>\(row.outcomes.text)\
        <td class="q">\(line(of: row.range).escapedForPage)
        """
    }
    return """
      <h2>Gaps</h2>
      <table><tr><th>place<th>state<th>outcomes<th>expression
      \(lines.joined(separator: "\n"))
      </table>

      """
  }

  // MARK: Parts of the text

  private func text(from start: Int, to end: Int) -> String {
    String(decoding: units[start..<end], as: UTF16.self)
  }

  /// Returns the text of a range, with a single space for each run of blanks.
  private func line(of range: SourceRange) -> String {
    let end = min(range.endOffset + 1, units.count)
    guard range.start.offset < end else { return "" }
    return text(from: range.start.offset, to: end)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let style = """
    :root{color-scheme:light dark;--l:#8884}
    body{font:15px/1.5 system-ui,sans-serif;max-width:1200px;margin:2em auto;padding:0 1em}
    h1{font-size:1.5em}h2{font-size:1.15em;margin:2em 0 .5em}
    pre,.q{font:13px/1.7 ui-monospace,monospace}pre{margin:0;padding:.7em 1em;tab-size:4}
    .c{display:flex;overflow-x:auto;border:1px solid var(--l);border-radius:6px}
    .n{text-align:right;border-right:1px solid var(--l)}.n b{font-weight:400;opacity:.75}
    .n b[class]{opacity:1;padding:0 .3em;margin:0 -.3em}
    span,.n b{border-radius:3px}.k span{padding:0 .3em}
    .v{background:#f443;outline:1px dashed #e33}.e{background:#a5f3;outline:1px dotted #a5f}
    .t,.f{background:#fa04}.a{background:#2b63}
    span.v::before,span.e::before,span.t::before,span.f::before{font-size:9px;font-weight:700;
    vertical-align:super;margin-right:.15em}
    span.v::before{content:"0"}span.e::before{content:"E"}
    span.t::before{content:"T"}span.f::before{content:"F"}
    table{border-collapse:collapse;font-size:13px;margin:1em 0}
    td,th{padding:.15em .7em;border-bottom:1px solid var(--l);text-align:left;vertical-align:top}
    td{white-space:nowrap}td.q{white-space:normal}
    """
}

extension OutcomeCounts {
  /// The outcomes with their numbers.
  fileprivate var text: String {
    let parts = [(trueCount, "true"), (falseCount, "false"), (errorCount, "error")]
    let texts = parts.filter { $0.0 > 0 }.map { "\($0.0) × \($0.1)" }
    return texts.isEmpty ? "never evaluated" : texts.joined(separator: ", ")
  }
}

extension CoveredExpression.State {
  /// The class of elements in this state.
  fileprivate var mark: String {
    switch self {
    case .unreached: "v"
    case .onlyErrors: "e"
    case .onlyTrue: "t"
    case .onlyFalse: "f"
    case .both, .evaluated: "a"
    }
  }

  /// The place of the state among all, the worst first.
  fileprivate var weight: Int {
    switch self {
    case .unreached: 0
    case .onlyErrors: 1
    case .onlyTrue, .onlyFalse: 2
    case .both, .evaluated: 3
    }
  }
}

extension String {
  /// The text for a page, with no part of it read as a tag. Line ends are those of the page, and a
  /// control character is `U+FFFD`.
  fileprivate var escapedForPage: String {
    var text = ""
    for point in unicodeScalars where point != "\r" {
      switch point {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n", "\t": text.unicodeScalars.append(point)
      case _ where point.properties.generalCategory == .control: text += "\u{FFFD}"
      default: text.unicodeScalars.append(point)
      }
    }
    return text
  }
}
