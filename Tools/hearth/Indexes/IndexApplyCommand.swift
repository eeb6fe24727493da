import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct IndexApplyCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Give the database the indexes of a firestore.indexes.json.",
    discussion: """
      Prints the changes, then applies them: + creates, - drops, ~ changes. Indexes that the file \
      lacks are kept, unless --prune is given. One scan builds all new composite indexes, which \
      are ready when the command ends. With --no-wait the command only begins the builds; but if \
      it drops indexes, it still waits, and drops them when the new ones are ready. (--wait \
      SECONDS is a different wait: for a process that has the database open and can't be asked.) A \
      file that is applied again changes nothing; after an interruption, it continues. The \
      database is created if it is missing.

        hearth index apply firestore.indexes.json --dry-run
        hearth index apply firestore.indexes.json --prune

      It asks before it drops indexes or times to live that the file lacks, unless --yes is \
      given. Where there is no terminal to ask on, it needs --yes.
      """)

  @Argument(help: "The index file; - is standard input.", completion: .file())
  var file: String

  @Flag(
    help:
      "Drop the indexes and times to live that the file lacks, and revert the fields that it lacks."
  )
  var prune = false

  @Flag(help: "Print what would change, and change nothing.")
  var dryRun = false

  @Flag(help: "Don't ask before anything is dropped.")
  var yes = false

  @Flag(name: .customLong("no-wait"), help: "Begin to build, and don't wait for the end.")
  var isNotWaitedFor = false

  @OptionGroup var pace: BuildOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let indexFile = try InputFile(path: file).indexFile()
    let bar = ProgressBar(title: "index", unit: "documents")
    defer { bar.finish() }
    // A plan alone creates no database.
    try database.withSession(creating: !dryRun) { session in
      let call = try IndexApplyCall(
        from: try session.run(IndexFileCall()).file, to: indexFile, prunes: prune,
        isAwaited: !isNotWaitedFor, pace: pace.pace)
      let plan = call.plan
      if plan.steps.isEmpty {
        // Another run may have begun these indexes without waiting for them.
        let begun = try session.run(IndexListCall()).composites.count { index in
          index.state == .creating && indexFile.composites.contains(index.definition)
        }
        if !dryRun { _ = try session.run(call) { bar.update($0) } }
        bar.finish()
        return try print(plan, begun: begun)
      }
      try print(plan)
      guard !dryRun else { return }
      if plan.prunes, !yes {
        try Confirmation.require("Drop what has a minus?", doing: "drops what has a minus")
      }
      _ = try session.run(call) { bar.update($0) }
      bar.finish()
      guard !output.json else { return }
      let changes = Figure.counted(plan.steps.count, "change", "changes")
      try OutputWriter.withWriter { writer in try writer.print("Applied \(changes).") }
    }
  }

  /// - Parameter begun: the number of indexes that were being built if the plan has no steps.
  private func print(_ plan: IndexFilePlan, begun: Int = 0) throws {
    try OutputWriter.withWriter { writer in
      if output.json {
        for line in plan.steps.map(\.json) + plan.kept.keptJSON { try writer.print(line) }
      } else if plan.steps.isEmpty {
        try writer.print(nothingToChange(begun: begun))
      } else {
        for step in plan.steps { try writer.print(step.description) }
      }
    }
    guard !plan.kept.isEmpty, !output.json else { return }
    let isOne = plan.kept.composites.count + plan.kept.overrides.count == 1
    let (verb, pronoun) = isOne ? ("is", "it") : ("are", "them")
    StandardError.print(
      "Note: there \(verb) \(counts(of: plan.kept)) in the database that \(verb) not present in "
        + "\(file). To drop \(pronoun), run this command with --prune.")
  }

  private func nothingToChange(begun: Int) -> String {
    guard begun > 0 else { return "Nothing to do: the database has the indexes of \(file)." }
    let indexes = Figure.counted(begun, "index that was", "indexes that were")
    return dryRun || isNotWaitedFor
      ? "Nothing to change: the database has the indexes of \(file), \(indexes) begun among them."
      : "Finished \(indexes) begun: the database has the indexes of \(file)."
  }

  /// Returns the numbers of indexes, field overrides and times to live in a file, as a phrase. A
  /// field that inherits its indexes is in a file only for its time to live.
  private func counts(of file: IndexFile) -> String {
    let inherited = file.overrides.count(where: \.isInherited)
    return [
      (file.composites.count, "index", "indexes"),
      (file.overrides.count - inherited, "field override", "field overrides"),
      (inherited, "time to live", "times to live"),
    ]
    .filter { $0.0 > 0 }.map { Figure.counted($0.0, $0.1, $0.2) }.joined(separator: " and ")
  }
}
