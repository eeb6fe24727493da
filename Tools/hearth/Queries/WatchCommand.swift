import ArgumentParser
import HearthDocumentEngine
import HearthFirestoreJSON
import Hearth

struct WatchCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the results of a query, and their changes.",
    discussion: """
      A listener on a query: it prints the results, and then each change in them. If an \
      application has the database open, these are changes by the application's writes, until the \
      application ends or the command is interrupted.

        hearth watch tasks -w 'done == false' --order-by 'created desc' --limit 10

      Otherwise it applies the writes that it reads from standard input, and prints the changes by \
      each request. A request is the body of a commit request of Firestore's REST interface, on \
      one line.

      A line of writes.ndjson, with the document's full name:

        {"writes": [{"delete": "projects/demo-project/databases/(default)/documents/tasks/a"}]}

      Writes on standard input are refused while an application has the database open: only the \
      application writes.

      + marks a document that enters the results, with its index; - one that leaves them, with its \
      old index; ~ a changed one, with both. Applied in order, they are the steps that change the \
      list. The command ends with the input, or with a request that fails.
      """)

  @OptionGroup var input: QueryOptions

  @Option(help: "The fields to show, separated by commas.", transform: FieldList.init)
  var fields: FieldList?

  @Flag(help: "Print documents in the JSON of Firestore's REST interface, with all types.")
  var typed = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard input.collection != nil else { throw ValidationError("Name a collection.") }
  }

  func run() throws {
    try database.withSession { session in
      let query = try input.query(in: session.queries)
      let format = DocumentLine(
        database: session.databaseID, isTyped: typed, fields: fields, hasPath: input.group)
      try OutputWriter.withWriter { writer in
        guard let database = session.own else {
          try refuseWrites()
          _ = try session.run(WatchCall(RunnableQuery(query))) { results in
            try refuseWrites()
            try print(results, format, to: writer)
          }
          return
        }
        let listener = PolledListener(query)
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

  /// Refuses writes on standard input, which only apply to a database that the tool itself has
  /// open: with any other they would be lost.
  ///
  /// - Throws: ``ToolFailure`` if standard input has data and is not a terminal.
  private func refuseWrites() throws {
    let input = FileDescriptor.standardInput
    guard !input.isTerminal, input.hasWaitingBytes else { return }
    throw ToolFailure(
      .inUse, .unavailable,
      "another process has the database open, so the writes on standard input can't be applied: "
        + "let it write them, or try again when it is done. To watch what it writes, take "
        + "standard input from /dev/null.")
  }

  private func apply(_ line: [UInt8], number: Int, to database: Database) throws {
    do {
      let message = try CommitMessage(json: line, in: database.id())
      guard message.transaction == nil else {
        throw ToolFailure.badInput("the request ends a transaction: take transaction out of it.")
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
    try print(try WatchedResults(snapshot, in: format.database), format, to: writer)
  }

  private func print(
    _ results: WatchedResults, _ format: DocumentLine, to writer: OutputWriter
  ) throws {
    guard let time = results.readTime else { return }
    if output.json {
      try writer.print(json(of: results, at: time, format))
    } else {
      for change in results.changes {
        let line = format.line(change.document)
        try writer.append("\(change.mark) ")
        try writer.append { $0.append(contentsOf: line) }
      }
      try writer.print("= \(Figure.documents(results.count))")
    }
    // The user of `watch` wants to see each change at once.
    try writer.flush()
  }

  private func json(
    of results: WatchedResults, at time: Timestamp, _ format: DocumentLine
  ) -> JSONLine {
    let changes = results.changes.map { change in
      // -1 as in Firestore's clients if there is no index.
      var json: JSONLine = [
        "type": change.kind.rawValue, "oldIndex": change.oldIndex ?? -1,
        "newIndex": change.newIndex ?? -1,
      ]
      let document = format.line(change.document).dropLast()
      json.append("document") { $0.append(contentsOf: document) }
      return json
    }
    return ["readTime": time, "size": results.count, "documentChanges": changes]
  }
}

extension WatchedResults.Change {
  /// A mark for the kind of the change and the place in the list.
  fileprivate var mark: String {
    switch (oldIndex, newIndex) {
    case (let old?, let new?): "~ \(old)>\(new)"
    case (let old?, nil): "- \(old)"
    case (nil, let new): "+ \(new ?? 0)"
    }
  }
}
