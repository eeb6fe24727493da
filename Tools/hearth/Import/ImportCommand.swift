import ArgumentParser
import Hearth

struct ImportCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import documents from a file.",
    discussion: """
      Reads one JSON object a line (NDJSON), a JSON array of objects or CSV, each also gzipped, \
      and commits the documents in batches, each durable before the next begins. An existing \
      document is replaced. The database is created if it is missing.

      A bad record stops the import, and the error names its line; the documents before it are \
      imported.

        hearth import cities cities.ndjson.gz --id-field id --db cities.hearth
        hearth import orders orders.csv --id-field number --type created:timestamp
        zcat orders.json.gz | hearth import orders - --format json
      """)

  @Argument(help: "The path of the collection to import into.")
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

  @OptionGroup var values: ValueOptions

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
  }

  func run() throws {
    let lastAct = LastAct()
    let source = try ByteSource(path: file)
    // A wrong command line creates no database.
    let target = try ResourcePath(collection).ofCollection()
    let idField = try idField.map { text in
      try ToolFailure.reading("--id-field") { try FieldPath(text) }
    }
    let start = ContinuousClock.now
    let count = try database.withSession(creating: true, isDurable: !isUnsynced) { session in
      try importRecords(
        of: source, into: try session.queries.collection(target.description), in: session,
        idField: idField, lastAct)
    }
    try report(count, start.duration(to: .now))
  }

  private func importRecords(
    of source: ByteSource, into collection: CollectionReference, in session: AdminSession,
    idField: FieldPath?, _ lastAct: LastAct
  ) throws -> Int {
    var bytes = try InputBytes(source)
    let format = try format ?? InputFormat(of: &bytes)
    var reader = try format.reader(of: bytes, converter: values.converter(in: session.databaseID))
    let progress = ProgressBar(title: "import", unit: "documents")
    var importer = Importer(
      into: collection, in: session, source: source.name, batchSize: batchSize)
    importer.onCommit = { count in
      let fraction = source.byteCount.map { Double(source.bytesRead) / Double(max($0, 1)) }
      progress.update(count: count, fraction: fraction)
      lastAct.set { ImportCommand.sayWhatIsKept(count, hasIDs: idField != nil) }
      if printAcknowledged { try FileDescriptor.standardOutput.write("\(count)\n".utf8) }
    }
    defer { progress.finish() }
    do {
      while let record = try reader.next() { try importer.append(record, idField: idField) }
      try importer.commit()
    } catch {
      progress.finish()
      throw try importer.failure(after: error)
    }
    return importer.importedCount
  }

  /// Says what a broken off import leaves. A batch may be committed before it is counted.
  private static func sayWhatIsKept(_ count: Int, hasIDs: Bool) {
    let advice =
      hasIDs
      ? "The same import replaces them and goes on."
      : "The same import would import them again, with other ids."
    StandardError.print(
      "\nInterrupted: \(Figure.documents(count)) imported so far, or a batch more, stay. \(advice)")
  }

  private func report(_ count: Int, _ duration: Duration) throws {
    if output.json {
      let answer: JSONLine = [
        "collection": collection, "imported": count, "seconds": duration / .seconds(1),
      ]
      return try OutputWriter.withWriter { try $0.print(answer) }
    }
    // Standard output may be a list of acknowledged numbers.
    let nanoseconds = Int64(duration / .nanoseconds(1))
    let rate = Figure.rate(Double(count) / max(duration / .seconds(1), 1e-9))
    StandardError.print(
      "\(Figure.documents(count)) imported into \(collection) in "
        + "\(Figure.duration(nanoseconds: nanoseconds)), \(rate)")
  }
}

extension InputFormat: ExpressibleByArgument {}
