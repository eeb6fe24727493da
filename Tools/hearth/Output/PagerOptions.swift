import ArgumentParser

/// The option for the program that shows long answers page by page.
struct PagerOptions: ParsableArguments {
  @Flag(name: .customLong("no-pager"), help: "On a terminal, print a long answer without a pager.")
  var isOff = false

  /// Runs `body` with a writer to standard output, whose pager follows from the option.
  func withWriter<Result>(_ body: (OutputWriter) throws -> Result) throws -> Result {
    try OutputWriter.withWriter(pager: isOff ? nil : Pager.standard(), body)
  }
}
