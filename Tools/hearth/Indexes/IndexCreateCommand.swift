import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct IndexCreateCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create an index and build it.",
    discussion: """
      Queries use the index when the command ends, and writers go on meanwhile. With --no-wait a \
      composite index is only begun: an application that has the database open builds it in the \
      background, otherwise `hearth index watch` builds it. (--wait SECONDS is a different wait: \
      for a process that has the database open and can't be asked.) An interrupted build continues \
      where it was. One field alone is a single-field index, added to the indexes that the field \
      has. The database is created if it is missing.

        hearth index create cities countryCode:asc population:desc
        hearth index create cities alternateNames:contains population:desc
        hearth index create districts population:desc --scope collection-group
        hearth index create songs genre:asc embedding:vector=768
        hearth index create cities countryCode:asc population:desc --max-p99-ms 5

      You can also paste an index as it stands elsewhere: production's whole error or its link, \
      the link's token, a gcloud firestore indexes composite create command, or an index of \
      firestore.indexes.json; - reads one of these, or a whole such file, from standard input.

        hearth index create 'https://console.firebase.google.com/…?create_composite=Ck9w…'
        hearth index create gcloud firestore indexes composite create \
          --collection-group=cities --field-config=order=ascending,field-path=name …
        hearth index create - < stanza.json
      """)

  @OptionGroup var index: IndexSource
  @OptionGroup var pace: BuildOptions

  @Flag(name: .customLong("no-wait"), help: "Begin to build, and don't wait for the end.")
  var isNotWaitedFor = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let lastAct = LastAct()
    let request = try index.request()
    let bar = ProgressBar(title: "index", unit: "documents")
    defer { bar.finish() }
    let changes = try database.withSession(creating: true) { session in
      request.reportOtherDatabase(than: session.databaseID)
      let isOwn = session.own != nil
      lastAct.set { IndexCreateCommand.sayWhatIsKept(isOwn: isOwn) }
      return try create(request, in: session, bar)
    }
    bar.finish()
    let state = isNotWaitedFor ? IndexState.creating : .ready
    try OutputWriter.withWriter { writer in
      for change in changes {
        try writer.print(output.json ? change.json(state).text : change.text(state))
      }
    }
  }

  /// Says what becomes of a broken off build.
  private static func sayWhatIsKept(isOwn: Bool) {
    StandardError.print(
      isOwn
        ? "\nInterrupted: what is built so far is kept. The same command goes on, as does "
          + "`hearth index watch` or an application that opens the database."
        : "\nInterrupted: the application goes on building. `hearth index watch` shows how far.")
  }

  /// Creates the requested indexes and returns the changes. One scan builds all composite indexes.
  private func create(
    _ request: IndexRequest, in session: AdminSession, _ bar: ProgressBar
  ) throws -> [IndexFilePlan.Step] {
    let apply = try applyCall(for: request.file, in: session)
    let changes =
      request.definitions.map { IndexFilePlan.Step.create($0) } + (apply?.plan.steps ?? [])
    guard !changes.isEmpty else {
      // Another run may have begun them without waiting for them.
      if let apply, !isNotWaitedFor { _ = try session.run(apply) { bar.update($0) } }
      throw DatabaseError(.alreadyExists, "index already exists")
    }
    let composites = changes.compactMap(\.composite)
    guard composites.count == changes.count || (!isNotWaitedFor && pace.pace == nil) else {
      throw ToolFailure(
        .usage, .invalidArgument,
        "--no-wait, --rate and --max-p99-ms are for composite indexes, of two fields or more.")
    }
    if !composites.isEmpty {
      let build = IndexBuildCall(composites, pace: pace.pace, isAwaited: !isNotWaitedFor)
      _ = try session.run(build) { bar.update($0) }
    }
    guard composites.count < changes.count else { return changes }
    for definition in request.definitions where definition.singleField != nil {
      _ = try session.run(IndexChangeCall(.create, definition)) { bar.update($0) }
    }
    // The rest of the request concerns single fields.
    if let apply = try applyCall(for: request.file, in: session) {
      _ = try session.run(apply) { bar.update($0) }
    }
    return changes
  }

  /// Returns the call that adds a file's indexes to the database's own; `nil` for an empty file.
  private func applyCall(
    for file: IndexFile, in session: AdminSession
  ) throws -> IndexApplyCall? {
    guard !file.isEmpty else { return nil }
    return try IndexApplyCall(from: try session.run(IndexFileCall()).file, to: file)
  }
}

extension IndexRequest {
  /// Says on standard error that the text is about another database.
  fileprivate func reportOtherDatabase(than id: DatabaseID) {
    let other: String
    if let database, database != id {
      other = "\(database)"
    } else if let name = databaseOfAnyProject, !name.utf8Equal(id.database) {
      other = "the database \(name)"
    } else {
      return
    }
    StandardError.print("Note: the text names \(other); the index is created in \(id).")
  }
}

extension IndexFilePlan.Step {
  /// The composite index that the step creates; `nil` for any other step.
  fileprivate var composite: IndexDefinition? {
    guard case .create(let definition) = self, definition.singleField == nil else { return nil }
    return definition
  }

  /// Returns the change as a sentence.
  fileprivate func text(_ state: IndexState) -> String {
    guard case .create(let definition) = self else { return "Changed: \(self)" }
    return "\(state == .ready ? "Created" : "Building") \(definition.title)."
  }

  fileprivate func json(_ state: IndexState) -> JSONLine {
    guard case .create(let definition) = self else { return json }
    return IndexRow(definition, state).json
  }
}

extension IndexDefinition {
  /// The index as part of a sentence: `the index (a ASC, b DESC) of cities`.
  var title: String { "the index \(inWords)" }
}
