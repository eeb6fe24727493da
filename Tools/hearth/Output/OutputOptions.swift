import ArgumentParser

/// The option for the form of the answer.
struct OutputOptions: ParsableArguments, OutputChoice {
  @Flag(help: "Print JSON, one object a line; errors too.")
  var json = false
}

/// The options for the form of an answer.
protocol OutputChoice {
  /// Whether answers and errors are JSON.
  var json: Bool { get }
}

/// A command whose answers and errors can be JSON.
protocol JSONCommand: ParsableCommand {
  associatedtype Output: OutputChoice
  var output: Output { get }
}
