import ArgumentParser
import Hearth

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the documents of a collection, one a line.",
    discussion: """
      Plain JSON and CSV have each document's id in the field named by --id-field, and `import` \
      with the same --id-field reads it; timestamps and other types that they lack become text. \
      With --typed nothing is lost: `import --format typed` reads it. --recursive adds the \
      documents of all collections below, in that format, since it has whole paths.

        hearth export cities > cities.ndjson
        hearth export cities --typed -o cities.typed.ndjson
        hearth export cities --recursive -o cities.typed.ndjson
        hearth export cities --format csv -o cities.csv
      """)

  @Argument(help: "The path of the collection.", completion: .paths)
  var collection: String

  @Option(help: ArgumentHelp("The field to write the document's id to.", valueName: "field"))
  var idField = "id"

  @Option(help: "The format to write: ndjson unless --recursive asks for typed.")
  var format: ExportFormat?

  @Flag(help: "Write the JSON of Firestore's REST interface, which has all types: --format typed.")
  var typed = false

  @Flag(help: "Export the documents of the collections below too, as with --typed.")
  var recursive = false

  @Option(
    name: .customLong("null"), parsing: .unconditional,
    help: ArgumentHelp("The text for null in CSV and TSV.", valueName: "text"))
  var null: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
    completion: .file())
  var file = "-"

  @OptionGroup var database: ReadingOptions

  private var chosenFormat: ExportFormat { format ?? (typed || recursive ? .typed : .ndjson) }

  func validate() throws {
    guard !typed || chosenFormat == .typed else {
      throw ValidationError("--typed and --format \(chosenFormat) contradict each other.")
    }
    guard !recursive || chosenFormat == .typed else {
      throw ValidationError("--recursive needs --format typed: other formats have no paths.")
    }
    guard null == nil || chosenFormat.separator != nil else {
      throw ValidationError("--null goes with --format csv or tsv.")
    }
  }

  func run() throws {
    let path = try ResourcePath(collection).ofCollection()
    try database.withSession { session in
      guard try Subtree(of: path, in: session.databaseID).hasDocuments(in: session) else {
        let place = path.parent.isRoot ? "" : " \(path.parent)"
        throw ToolFailure.notFound(
          "there is no collection \(path), so nothing is exported.\n"
            + "`hearth ls\(place)` lists the collections.")
      }
      let export = Export(
        session: session, collection: path, format: chosenFormat, isRecursive: recursive,
        idField: idField, null: null ?? "")
      let output = try openOutput()
      let bar = ProgressBar(title: "export", unit: "documents")
      defer { bar.finish() }
      let extent = try OutputWriter.withWriter(on: output) { writer in
        try export.write(to: writer) { count in
          if !output.isTerminal { bar.update(count: count, fraction: nil) }
        }
      }
      bar.finish()
      let leftOut = try export.leftOutCount(after: extent)
      guard leftOut > 0 else { return }
      StandardError.print(
        "Note: \(Figure.documents(leftOut)) in collections below \(path) "
          + "\(leftOut == 1 ? "is" : "are") left out; --recursive exports them too.")
    }
  }

  private func openOutput() throws -> FileDescriptor {
    guard !file.utf8Equal("-") else { return .standardOutput }
    do throws(FileDescriptor.Failure) {
      return try FileDescriptor(writing: file)
    } catch {
      throw ToolFailure(writing: file, error)
    }
  }
}
