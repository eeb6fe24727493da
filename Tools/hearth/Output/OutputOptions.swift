import ArgumentParser

/// The option for the form of the answer.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON, one object a line; errors too.")
  var json = false
}

/// A command whose answers and errors can be JSON.
protocol JSONCommand: ParsableCommand {
  var output: OutputOptions { get }
}
