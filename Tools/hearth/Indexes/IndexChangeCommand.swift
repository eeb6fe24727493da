import Hearth

/// A command that changes one index.
protocol IndexChangeCommand: JSONCommand {
  var index: IndexArguments { get }
  var database: DatabaseOptions { get }
  var change: IndexChangeCall.Change { get }
  /// The change that was made, in front of the index's name.
  var done: String { get }
  /// Pace of all builds from now on; `nil` leaves it unchanged.
  var newPace: BuildPace? { get }
  /// Asks the user, if the change is one that can't be undone.
  func confirm(_ definition: IndexDefinition) throws
}

extension IndexChangeCommand {
  var newPace: BuildPace? { nil }

  func confirm(_ definition: IndexDefinition) {}

  func run() throws {
    let definition = try index.definition()
    let bar = ProgressBar(title: "index", unit: "documents")
    defer { bar.finish() }
    try database.withSession { session in
      try confirm(definition)
      let call = IndexChangeCall(change, definition, pace: newPace)
      let stranger =
        [.pause, .resume, .cancel].contains(change)
        ? "such index that is being built" : "such index"
      _ = try session.run(call, on: definition, unlike: stranger) { bar.update($0) }
    }
    bar.finish()
    try output.report(definition.json, "\(done) \(definition.title).")
  }
}
