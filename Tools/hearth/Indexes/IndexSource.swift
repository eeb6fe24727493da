import ArgumentParser
import HearthFirestoreJSON
import Hearth

/// An index to create, typed as in other commands, or pasted from production's errors and tools.
struct IndexSource: ParsableArguments {
  /// Length that the token of a creation link exceeds, since it names a project.
  private static let shortestTokenLength = 48

  @Argument(
    help: ArgumentHelp(
      "The id of the collections, or an index as it stands elsewhere; - is standard input.",
      valueName: "collection-id"),
    completion: .collectionIDs)
  var collectionGroup: String

  // An unknown option may be a flag of gcloud.
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "The fields in their order, each with asc, desc or contains; a vector is last, with its "
        + "dimension.",
      valueName: "field:mode"),
    completion: .indexColumns)
  var columns: [String] = []

  @Option(
    help: "The queries that it serves: of one collection, or of all collections of the id at once.")
  var scope: IndexArguments.Scope?

  private var isGcloud: Bool { collectionGroup.utf8Equal("gcloud") && columns.first == "firestore" }

  func validate() throws {
    if isPasted {
      guard scope == nil else {
        throw ValidationError("--scope goes with a typed index: a pasted one has its own.")
      }
      return
    }
    if let option = columns.first(where: { $0.hasPrefix("-") }) {
      throw ValidationError("Unknown option '\(option)'")
    }
    guard !columns.isEmpty else {
      throw ValidationError("Missing expected argument '<field:mode> ...'")
    }
    let columns = try columns.map(IndexArgument.init)
    try IndexArguments.validate(columns)
  }

  private var isPasted: Bool {
    isGcloud
      || columns.isEmpty
        && (collectionGroup.utf8Equal("-")
          || collectionGroup.utf8.count >= IndexSource.shortestTokenLength
          || collectionGroup.utf8.contains { [0x20, 0x0A, 0x7B, 0x5B].contains($0) })
  }

  /// Returns the indexes to create.
  ///
  /// - Throws: ``ToolFailure`` for any other text; `invalidArgument`.
  func request() throws -> IndexRequest {
    guard isPasted else {
      let columns = try columns.map(IndexArgument.init)
      return IndexRequest(
        try IndexArguments.definition(collectionGroup, columns, scope ?? .collection))
    }
    if isGcloud { return try IndexRequest(gcloud: [collectionGroup] + columns) }
    guard collectionGroup.utf8Equal("-") else { return try IndexRequest(pasted: collectionGroup) }
    return try InputFile(path: "-").read { bytes throws(DatabaseError) in
      try IndexRequest(pasted: String(decoding: bytes, as: UTF8.self))
    }
  }
}
