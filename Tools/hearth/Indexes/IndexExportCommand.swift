import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct IndexExportCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the indexes as a firestore.indexes.json.",
    discussion: """
      The file has the form and the order of the Firebase tool's file. Properties that only Hearth \
      has, such as kept counts, are not in it. With --json it is on one line.

        hearth index export > firestore.indexes.json
        hearth index export --output firestore.indexes.json
      """)

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("The file to write; otherwise standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  /// The earlier name of ``file``. Elsewhere it is the order of a query.
  @Option(name: .customShort("o"), help: .hidden)
  var shortFile: String?

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: OutputOptions

  private var path: String? { file ?? shortFile }

  func run() throws {
    let file = try database.run(IndexFileCall()).file
    let text = file.json
    // Joined into one line: no line of the text begins inside a string.
    let line = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    let target = try target()
    try OutputWriter.withWriter(on: target ?? .standardOutput) { writer in
      try writer.print(output.json ? line : text)
    }
    guard let path, target != nil else { return }
    let indexes = Figure.counted(file.composites.count, "composite index", "composite indexes")
    let fields = Figure.counted(file.overrides.count, "field", "fields")
    StandardError.print("Wrote \(indexes) and \(fields) to \(path).")
  }

  private func target() throws -> FileDescriptor? {
    guard let path, !path.utf8Equal("-") else { return nil }
    do {
      return try FileDescriptor(writing: path)
    } catch {
      throw ToolFailure(writing: path, error)
    }
  }
}
