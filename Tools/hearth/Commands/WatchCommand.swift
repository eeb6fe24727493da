import ArgumentParser
import DocumentEngine
import FirestoreJSON
import Hearth

struct WatchCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show what writes change in the results of a query.",
    discussion: """
      A listener on a query: it prints the results, then applies the writes that come in on \
      standard input, and prints what each request changes in the results. A request is the body \
      of a commit request of Firestore's REST interface, on one line. As one process at a time \
      may open a database, these are the only writes that it can see.

        hearth watch tasks -w 'done == false' --order-by 'created desc' --limit 10 < writes.ndjson

      A line of writes.ndjson, with the document's full name:

        {"writes": [{"delete": "projects/demo-project/databases/(default)/documents/tasks/a"}]}

      A document that comes in is shown as + with its index, one that goes out as - with the index \
      it had, a changed one as ~ with both. To follow them in a list, take them in order. A \
      request that fails ends it.
      """)

  @OptionGroup var input: QueryOptions

  @Option(help: "The fields to show, separated by commas.", transform: FieldList.init)
  var fields: FieldList?

  @Flag(help: "Print documents as Firestore's REST interface has them, with all types.")
  var typed = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard input.collection != nil else { throw ValidationError("Name a collection.") }
  }

  func run() throws {
    try database.withDatabase { database in
      let listener = PolledListener(try input.query(in: database))
      let format = DocumentLine(
        database: try database.id(), isTyped: typed, fields: fields, hasPath: input.group)
      try OutputWriter.withWriter { writer in
        try print(listener, format, to: writer)
        var lines = try InputLines(InputBytes(ByteSource(path: "-")))
        var line: [UInt8] = []
        while try lines.next(into: &line) {
          try apply(line, number: lines.number, to: database)
          try print(listener, format, to: writer)
        }
      }
    }
  }

  private func apply(_ line: [UInt8], number: Int, to database: Database) throws {
    do {
      let message = try CommitMessage(json: line, in: database.id())
      guard message.transaction == nil else {
        throw ToolFailure(
          .badInput, .invalidArgument,
          "the request ends a transaction: take transaction out of it.")
      }
      try database.commit(message.writes)
    } catch let error as DatabaseError {
      throw ToolFailure(
        ExitStatus(error), error.code, "line \(number) of standard input: \(error.message)")
    }
  }

  private func print(
    _ listener: PolledListener, _ format: DocumentLine, to writer: OutputWriter
  ) throws {
    guard let snapshot = try listener.next() else { return }
    if output.json {
      try writer.print(try json(of: snapshot, format))
    } else {
      for change in snapshot.documentChanges {
        let line = try format.line(change.document)
        try writer.append("\(change.mark) ")
        try writer.append { $0.append(contentsOf: line) }
      }
      try writer.print("= \(Figure.documents(snapshot.count))")
    }
    // Whoever watches wants to see it now.
    try writer.flush()
  }

  private func json(of snapshot: QuerySnapshot, _ format: DocumentLine) throws -> JSONLine {
    var json = JSONLine()
    json.append("readTime", .timestamp(snapshot.readTime))
    json.append("size", .integer(Int64(snapshot.count)))
    json.append(
      "documentChanges",
      try snapshot.documentChanges.map { change in
        var member = JSONLine()
        member.append("type", .string("\(change.kind)"))
        // As Firestore's clients have it where there is none.
        member.append("oldIndex", .integer(Int64(change.oldIndex ?? -1)))
        member.append("newIndex", .integer(Int64(change.newIndex ?? -1)))
        let document = try format.line(change.document).dropLast()
        member.append("document") { $0.append(contentsOf: document) }
        return member
      })
    return json
  }
}

extension DocumentChange {
  /// What happened, and where in the list.
  fileprivate var mark: String {
    switch (oldIndex, newIndex) {
    case (let old?, let new?): "~ \(old)>\(new)"
    case (let old?, nil): "- \(old)"
    case (nil, let new): "+ \(new ?? 0)"
    }
  }
}
