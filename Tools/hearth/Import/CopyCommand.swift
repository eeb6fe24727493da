import ArgumentParser
import Hearth

struct CopyCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy documents from one database to another.",
    discussion: """
      Copies all documents, or those of some collections with everything below them. A new \
      database gets the id of the first. Documents that exist in the second are replaced, and \
      others are kept. Both databases may be open in applications; the second one's must then \
      accept writes. All documents are of one moment; those of several named collections are of \
      one each.

      With --indexes the second database first gets the indexes, fields' own indexes, times to \
      live and kept counts of the first that it lacks; covering and hidden indexes are so there \
      too. An interrupted copy keeps what it has; given again, it copies all anew.

        hearth copy cities.hearth spare.hearth --indexes
        hearth copy cities.hearth trial.hearth cities users/alice/posts
      """)

  @Argument(help: "The folder of the database to read.", completion: .directory)
  var from: String

  @Argument(help: "The folder of the database to write; it may be missing.", completion: .directory)
  var to: String

  @Argument(help: "The paths of the collections to copy; without any, all.")
  var collections: [String] = []

  @Flag(help: "Create the indexes too, before the documents.")
  var indexes = false

  @Flag(help: "Write nothing in the folder of the first database.")
  var readOnly = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time to wait for another process that has a database open.", valueName: "seconds"))
  var wait: Double?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let lastAct = LastAct()
    let paths = try collections.map { text in try ResourcePath(text).ofCollection() }
    guard !FileDescriptor.isSameFile(from, to) else {
      throw ToolFailure(
        .usage, .invalidArgument, "\(from) and \(to) are the same database.")
    }
    let (source, target) = (
      try DatabaseOptions.naming(from, wait: wait), try DatabaseOptions.naming(to, wait: wait)
    )
    let count = try source.withSession(access: readOnly ? .readOnly : .readWrite) { source in
      let trees = try subtrees(of: paths, in: source)
      try create(target, as: source.databaseID)
      return try target.withSession { target in
        if indexes { try IndexCopy(from: source, to: target).run() }
        var copy = DocumentCopy(from: source, to: target)
        let total = try trees.reduce(0) { try $0 + $1.count(in: source) }
        let bar = ProgressBar(title: "copy", unit: "documents")
        defer { bar.finish() }
        copy.onCommit = { count in
          bar.update(count: count, fraction: Double(count) / Double(max(total, 1)))
          lastAct.set {
            StandardError.print(
              "\nInterrupted: \(Figure.documents(count)) copied so far, or a batch more, stay. "
                + "The same copy replaces them and goes on.")
          }
        }
        for tree in trees { try copy.run(tree) }
        return copy.count
      }
    }
    lastAct.set(nil)
    guard output.json else {
      return StandardError.print("\(Figure.documents(count)) copied from \(from) to \(to)")
    }
    try OutputWriter.withWriter { try $0.print(["copied": count]) }
  }

  /// Makes a new database with the id of the first, if there is none.
  private func create(_ target: DatabaseOptions, as id: DatabaseID) throws {
    do {
      try target.withSession { _ in }
    } catch let failure as ToolFailure where failure.status == .missingInput {
      var options = target.options
      options.createsIfMissing = true
      options.databaseID = id
      do throws(DatabaseError) {
        try Database.openPlainly(at: to, options: options).close()
      } catch {
        throw ToolFailure(opening: error, creating: true)
      }
    }
  }

  /// Returns the parts to copy.
  ///
  /// - Throws: ``ToolFailure`` if one of the collections doesn't exist.
  private func subtrees(
    of paths: [ResourcePath], in session: AdminSession
  ) throws -> [Subtree] {
    guard !paths.isEmpty else { return [Subtree(of: nil, in: session.databaseID)] }
    return try paths.map { path in
      let tree = Subtree(of: path, in: session.databaseID)
      guard try tree.hasDocuments(in: session) else {
        throw ToolFailure.notFound("there is no collection \(path) in \(from): nothing is copied.")
      }
      return tree
    }
  }
}
