import Hearth

extension TypeSummary {
  /// Number of fields that are printed for a person.
  private static let shownCount = 40

  /// The fields with the numbers of their types, a line each; none if there are no documents.
  package var lines: [String] {
    let shown = fields.prefix(TypeSummary.shownCount)
    let width = shown.reduce(0) { max($0, min($1.name.printable.displayWidth, 30)) }
    var lines = shown.map { field in
      let name = field.name.printable.cut(toWidth: 30)
      let padding = String(repeating: " ", count: width - name.displayWidth)
      return "  \(name)\(padding)  \(types(of: field))"
    }
    if fields.count > shown.count {
      let more = Figure.count(fields.count - shown.count)
      lines.append("  and \(isCut ? "at least " : "")\(more) more fields")
    }
    return lines
  }

  private func types(of field: Field) -> String {
    let missing = documentCount - field.counts.reduce(0, +)
    let counts = Kind.allCases.filter { field[$0] > 0 }.map { (field[$0], $0.rawValue) }
      .sorted { $0.0 > $1.0 }
    return (counts + (missing > 0 ? [(missing, "missing")] : []))
      .map { "\(Figure.count($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  /// Sentences about fields whose types are probably not the intended ones.
  ///
  /// - Parameter format: the format of the input, which decides the advice.
  package func notes(for format: InputFormat) -> [String] {
    format == .typed
      ? []
      : fields.flatMap { field in
        [field.textNote(for: format), field.beyondNote(for: format)].compactMap { $0 }
      }
  }

  /// The fields for a program.
  var json: [JSONLine] {
    fields.map { field in
      var types = JSONLine()
      for kind in Kind.allCases where field[kind] > 0 { types.append(kind.rawValue, field[kind]) }
      let missing = documentCount - field.counts.reduce(0, +)
      return ["field": field.name, "types": types, "missing": missing]
    }
  }
}

extension TypeSummary.Field {
  /// A sentence about texts among numbers; `nil` if there are none.
  fileprivate func textNote(for format: InputFormat) -> String? {
    let (texts, numbers) = (self[.string], self[.integer] + self[.double])
    guard texts > 0, numbers > 0 else { return nil }
    let (text, number) = (Figure.counted(texts, "text"), Figure.counted(numbers, "number"))
    let common = self.texts.max { $0.count < $1.count }?.text
    guard !hasManyTexts, let common else {
      return "field \(name) has \(text) among \(number), which sort before the texts; "
        + "--type \(name):string makes all of them text."
    }
    let found =
      "field \(name) has \(text), such as \"\(common.printable)\", among \(number), which "
      + "sort before the texts"
    return format.hasCells ? "\(found); --null '\(common.printable)' makes them null." : "\(found)."
  }

  /// A sentence about whole numbers that have lost digits; `nil` if there are none.
  fileprivate func beyondNote(for format: InputFormat) -> String? {
    guard beyondCount > 0 else { return nil }
    let numbers = Figure.counted(beyondCount, "number")
    let advice =
      format.hasCells ? "--type \(name):string keeps all digits" : "as text they keep all digits"
    return "field \(name) has \(numbers) beyond 64 bits, of which 16 digits are kept; \(advice)."
  }
}
