import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct SchemaCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Show the fields of a collection's documents, with their types and values.",
    discussion: """
      Documents need no schema; this is the one that they have. For each field it prints the types \
      of its values, the number of documents that have it, the smallest and the largest value, and \
      some examples. A field inside a map has a line of its own.

      It reads the first 1,000 documents by their ids, or as many as --sample says, or all of them \
      with --all. Standard error says how many were read. With --json, a field is a line: field, \
      documents, of (the number of documents that were read), types, smallest, largest, examples.

        hearth schema cities
        hearth schema cities --all --json
        hearth schema districts --group --sample 10000
      """)

  @Argument(help: "The path of a collection or, with --group, the id of collections.")
  var collection: String

  @Flag(help: "Look at all collections of that id, at any depth.")
  var group = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Read at most this many documents.", valueName: "documents"))
  var sample = 1000

  @Flag(help: "Read all documents.")
  var all = false

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func validate() throws {
    guard sample > 0 else { throw ValidationError("--sample takes a number from 1.") }
  }

  func run() throws {
    let (schema, isWhole, id) = try database.withSession { session in
      var query =
        group
        ? try session.queries.collectionGroup(collection)
        : try session.queries.collection(collection).query
      // One more tells whether there are more.
      if !all { query = query.limit(to: sample + 1) }
      var schema = FieldSummaries()
      let bar = ProgressBar(title: "schema", unit: "documents")
      defer { bar.finish() }
      let runnable = try RunnableQuery(query)
      var count = 0
      _ = try session.run(QueryCall(runnable)) { document in
        count += 1
        guard all || count <= sample else { return }
        schema.add(document.fields)
        bar.update(count: count, fraction: nil)
      }
      bar.finish()
      if count == 0, !output.json {
        try EmptyResult(query: runnable.query, session: session).note()
      }
      return (schema, all || count <= sample, session.databaseID)
    }
    report(schema, isWhole: isWhole)
    try output.list(
      schema.rows, SchemaCommand.columns, { $0.json(of: schema.documentCount, in: id) },
      { $0.cells(of: schema.documentCount, output.style) })
  }

  private static let columns: [TextTable.Column] = [
    TextTable.Column("field", isWhole: true), TextTable.Column("types"),
    TextTable.Column("documents", .right), TextTable.Column("share", .right),
    TextTable.Column("smallest"),
    TextTable.Column("largest"), TextTable.Column("examples"),
  ]

  /// Says on standard error how much of the collection the answer covers.
  private func report(_ schema: FieldSummaries, isWhole: Bool) {
    let count = Figure.documents(schema.documentCount)
    StandardError.print(
      isWhole ? "of all \(count)" : "of the first \(count); --all reads all, --sample N more")
    if schema.isCut {
      StandardError.print(
        "Note: there are more than \(Figure.count(FieldSummaries.mostCount)) fields: the rest is "
          + "left out.")
    }
  }
}

extension FieldSummary {
  fileprivate func cells(of documentCount: Int, _ style: OutputStyle) -> [String] {
    let share = Figure.percent(Double(count) / Double(max(documentCount, 1)))
    let types = sortedTypes.map { name, count in
      self.types.count == 1 ? name : "\(name) \(Figure.count(count))"
    }
    return [
      path.description, types.joined(separator: ", "),
      style.isForPeople ? Figure.count(count) : "\(count)", share,
      FieldSummary.text(smallest), FieldSummary.text(largest),
      examples.map(FieldSummary.text).joined(separator: ", "),
    ]
  }

  private static func text(_ value: Value?) -> String {
    guard let value else { return "" }
    return ValueText.text(of: value, in: NameScope(.default, collection: nil)).cut(toWidth: 60)
  }

  fileprivate func json(of documentCount: Int, in database: DatabaseID) -> JSONLine {
    var types = JSONLine()
    for (name, count) in sortedTypes { types.append(name, count) }
    var json: JSONLine = [
      "field": path.description, "documents": count, "of": documentCount, "types": types,
    ]
    func append(_ name: String, _ value: Value?) {
      guard let value else { return }
      json.append(name) { PlainJSON.append(value, to: &$0, relativeTo: database) }
    }
    append("smallest", smallest)
    append("largest", largest)
    append("examples", .array(examples))
    return json
  }
}
