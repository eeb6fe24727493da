import ArgumentParser
import Hearth
import HearthDocumentEngine

struct ImportCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import documents from a file.",
    discussion: """
      Reads one JSON object a line (NDJSON), a JSON array of objects, CSV or TSV, each also \
      gzipped or alone in a zip archive, and commits the documents in batches, each durable before \
      the next begins. An existing document is replaced, or with --merge keeps its other fields. \
      The database is created if it is missing.

      A bad record stops the import, and the error names its line; the documents before it are \
      imported. With --on-error skip the rest is imported too. At the end the command prints the \
      types that the fields have got.

        hearth import cities cities.ndjson.gz --id-field id --db cities.hearth
        hearth import orders orders.csv --id-field number --type created:timestamp
        hearth import flights flights.csv --null NA --on-error skip --rejects bad.ndjson
        hearth import flights flights.csv --null NA --dry-run
        zcat orders.json.gz | hearth import orders - --format json
      """)

  @Argument(help: "The path of the collection to import into.", completion: .paths)
  var collection: String

  @Argument(help: "The file to read; - is standard input.", completion: .file())
  var file: String

  @Option(help: "The format of the file; without it, the file's name or beginning decides.")
  var format: InputFormat?

  @Option(
    help: ArgumentHelp(
      "The field that holds the document's id, and stays a field; without it, ids are random.",
      valueName: "field"))
  var idField: String?

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "The collection that a file of the format typed was exported from, if it has another path; "
        + "documents below it keep their places.",
      valueName: "collection"))
  var origin: String?

  @OptionGroup var values: ValueOptions
  @OptionGroup var cells: CellOptions

  @Flag(help: "Merge the fields into existing documents.")
  var merge = false

  @OptionGroup var rejects: RejectOptions

  @Flag(help: "Read and check all records, and import none; no database is needed.")
  var dryRun = false

  @Option(help: ArgumentHelp("Number of documents in each commit.", valueName: "documents"))
  var batchSize = 500

  @Flag(
    name: .customLong("no-sync"),
    help: ArgumentHelp(
      "Don't wait for the disk: faster, but documents may be missing after a loss of power."))
  var isUnsynced = false

  @Flag(
    help: "Print the number of safely stored documents after each batch.")
  var printAcknowledged = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard batchSize > 0 else { throw ValidationError("--batch-size takes a number from 1.") }
    guard origin == nil || format == .typed else {
      throw ValidationError("--from goes with --format typed, whose documents have paths.")
    }
    guard values.types.isEmpty || format != .typed else {
      throw ValidationError("--type is for plain values; those of --format typed have their types.")
    }
  }

  func run() throws {
    let lastAct = LastAct()
    let source = try ByteSource(path: file)
    // A wrong command line creates no database.
    let target = try ResourcePath(collection).ofCollection()
    let origin = try origin.map { text in try ResourcePath(text).ofCollection() }
    let idField = try idField.map { text in
      try ToolFailure.reading("--id-field") { try FieldPath(text) }
    }
    var bytes = try InputBytes(source)
    let format = try format ?? InputFormat(of: &bytes)
    try cells.check(for: format)
    let rules = ImportRules(
      batchSize: batchSize, merges: merge, isDryRun: dryRun, rejects: try rejects.rejects())
    let start = ContinuousClock.now
    let run = try withTarget { session, commit in
      let placement = Placement(
        in: try session.queries.collection(target.description), target: target, origin: origin,
        idField: idField, source: source.name)
      let reader = try format.reader(
        of: bytes, converter: values.converter(in: session.databaseID), cells: cells.rules)
      var importer = Importer(to: placement, rules, source: source.name, commit: commit)
      let progress = ProgressBar(title: dryRun ? "check" : "import", unit: "documents")
      defer { progress.finish() }
      importer.onCommit = { count in
        let fraction = source.byteCount.map { Double(source.bytesRead) / Double(max($0, 1)) }
        progress.update(count: count, fraction: fraction)
        guard !dryRun else { return }
        lastAct.set {
          ImportCommand.sayWhatIsKept(count, isRepeatable: idField != nil || format == .typed)
        }
        if printAcknowledged { try FileDescriptor.standardOutput.write("\(count)\n".utf8) }
      }
      // A header has been held against the types already.
      var run = ImportRun(
        format, reader, typed: format.hasCells ? [] : values.types, importer, rules)
      try run.run()
      return run
    }
    lastAct.set(nil)
    try ImportReport(
      collection: collection, count: run.importer.importedCount, rules: rules, format: format,
      types: run.types, duration: start.duration(to: .now)
    ).print(json: output.json)
    if let rejects = rules.rejects, rejects.count > 0 {
      throw ExitCode(ExitStatus.differences.rawValue)
    }
  }

  /// Runs `body` with the database and a closure that commits writes to it. In a database of the
  /// tool's own they are a load.
  ///
  /// A dry run checks each batch on an empty database in memory, which has the same limits.
  private func withTarget<Result>(
    _ body: (AdminSession, @escaping ([Write]) throws -> Void) throws -> Result
  ) throws -> Result {
    guard dryRun else {
      return try database.withSession(creating: true, isDurable: !isUnsynced) { session in
        guard let database = session.own else {
          return try body(session) { writes in _ = try session.run(CommitCall(writes)) }
        }
        var load = database.makeLoad()
        let result = Swift.Result {
          try body(session) { writes in _ = try load.commit(writes) }
        }
        do {
          try ImportCommand.finish(load)
        } catch {
          // An earlier error tells more.
          _ = try result.get()
          throw error
        }
        return try result.get()
      }
    }
    let session = try AdminSession { .own(try Database.inMemory()) }
    return try body(session) { writes in
      _ = try CommitCall(writes).answer(from: Database.inMemory())
    }
  }

  /// Puts the index entries that the load has put off.
  private static func finish(_ load: DocumentLoad) throws {
    // This thread waits while another one may draw.
    nonisolated(unsafe) let progress = ProgressBar(title: "index", unit: "entries")
    defer { progress.finish() }
    try load.finish { progress.update(count: $0, fraction: nil) }
  }

  /// Says what a broken off import leaves. A batch may be committed before it is counted.
  private static func sayWhatIsKept(_ count: Int, isRepeatable: Bool) {
    let advice =
      isRepeatable
      ? "The same import replaces them and goes on."
      : "The same import would import them again, with other ids."
    StandardError.print(
      "\nInterrupted: \(Figure.documents(count)) imported so far, or a batch more, stay. \(advice)")
  }
}

extension InputFormat: ExpressibleByArgument {}
