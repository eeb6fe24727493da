import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct IndexDiffCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare the indexes with a firestore.indexes.json.",
    discussion: """
      Prints a line for each difference: + is an index that only the file has, - one that only the \
      database has, ~ a field whose indexes differ. Ends with 2 if there are any. Scopes are \
      compared for fields too, which the Firebase tool doesn't do; a field's time to live is \
      compared if the file has it.

        hearth index diff firestore.indexes.json
      """)

  @Argument(help: "The index file; - is standard input.", completion: .file())
  var file: String

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let file = try InputFile(path: file).indexFile()
    let present = try database.run(IndexFileCall()).file
    let plan = try IndexFilePlan(from: present, to: file, prunes: true)
    try OutputWriter.withWriter { writer in
      for step in plan.steps {
        try writer.print(output.json ? step.json.text : step.description)
      }
    }
    guard plan.steps.isEmpty else { throw ExitCode(ExitStatus.differences.rawValue) }
  }
}
