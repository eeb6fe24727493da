import Hearth

extension OutputChoice {
  /// Prints an answer: as JSON for a program, or as a sentence.
  func report(
    _ answer: @autoclosure () -> JSONLine, _ sentence: @autoclosure () -> String
  ) throws {
    try report(answer()) { _ in sentence() + "\n" }
  }

  /// Prints an answer: as JSON for a program, or as text, each line with its end.
  ///
  /// - Parameter pager: the option for the pager of a long answer; `nil` for none.
  func report(
    _ answer: @autoclosure () -> JSONLine, by pager: PagerOptions? = nil,
    _ text: (OutputStyle) -> String
  ) throws {
    let style = OutputStyle.standardOutput(json: json)
    func write(_ writer: OutputWriter) throws {
      if json { try writer.print(answer()) } else { try writer.append(text(style)) }
    }
    if let pager { try pager.withWriter(write) } else { try OutputWriter.withWriter(write) }
  }
}
