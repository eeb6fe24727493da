import HearthAdminSocket
import ArgumentParser
import HearthFirestoreJSON
import Hearth

struct IndexTuneCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Make queries or checks faster, for more work in each write.",
    discussion: """
      With --covering the entries of a composite index carry their documents, so that a page of \
      results reads no documents; each write of a document then rewrites its entries there. With \
      --counts the number of documents is kept for each combination of values of the fields, so \
      that a count over equalities on exactly these fields is one read; without a field, --counts \
      '' keeps the number of all documents. With --sums, which is for the whole database, sums of \
      all index entries are kept for `hearth verify --quick`. These settings don't change which \
      queries are served, and are not part of firestore.indexes.json.

        hearth index tune cities countryCode:asc population:desc --covering
        hearth index tune cities countryCode:asc population:desc --no-covering
        hearth index tune cities --counts countryCode,capital
        hearth index tune cities --no-counts countryCode,capital
        hearth index tune --sums
      """)

  @Argument(
    help: ArgumentHelp("The id of the collections.", valueName: "collection-id"),
    completion: .collectionIDs)
  var collectionGroup: String?

  @Argument(
    help: ArgumentHelp("The composite index as it was created.", valueName: "field:mode"),
    completion: .indexColumns,
    transform: IndexArgument.init)
  var columns: [IndexArgument] = []

  @Option(
    help: "The queries that it serves: of one collection, or of all collections of the id at once.")
  var scope = IndexArguments.Scope.collection

  @Flag(inversion: .prefixedNo, help: "Whether the index's entries carry their documents.")
  var covering: Bool?

  @Option(help: ArgumentHelp("Keep counts by these fields.", valueName: "fields"))
  var counts: String?

  @Option(help: ArgumentHelp("Stop keeping counts by these fields.", valueName: "fields"))
  var noCounts: String?

  @Flag(inversion: .prefixedNo, help: "Whether sums of all index entries are kept.")
  var sums: Bool?

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    let chosen = [covering != nil, counts != nil, noCounts != nil, sums != nil].filter { $0 }
    guard chosen.count == 1 else {
      throw ValidationError(
        "Give one of --covering, --no-covering, --counts, --no-counts, --sums and --no-sums.")
    }
    guard (sums == nil) == (collectionGroup != nil) else {
      throw ValidationError(
        sums == nil
          ? "Name the id of the collections."
          : "Sums are kept of all indexes at once: name no collection.")
    }
    guard (covering == nil) == columns.isEmpty else {
      throw ValidationError(
        covering == nil
          ? "Counts are kept by fields, not of an index: write --counts FIELD,FIELD."
          : "--covering needs the fields of the index, as they were when it was created.")
    }
    _ = try countedFields()
  }

  func run() throws {
    let bar = ProgressBar(title: "index", unit: "documents")
    defer { bar.finish() }
    let (line, json) = try database.withSession { session in
      if let sums { return try keepSums(sums, session, bar) }
      if let covering { return try tune(session, covering, bar) }
      return try keepOrDropCounts(session, bar)
    }
    bar.finish()
    try output.report(json, line)
  }

  private func keepSums(
    _ keepsSums: Bool, _ session: AdminSession, _ bar: ProgressBar
  ) throws -> (line: String, json: JSONLine) {
    _ = try session.run(SumsCall(areKept: keepsSums)) { bar.update($0) }
    let verb = keepsSums ? "kept" : "no longer kept"
    return ("Sums of index entries are \(verb).", ["keepsSums": keepsSums])
  }

  private func tune(
    _ session: AdminSession, _ isCovering: Bool, _ bar: ProgressBar
  ) throws -> (line: String, json: JSONLine) {
    let definition = try IndexArguments.definition(collectionGroup ?? "", columns, scope)
    let call = CoveringCall(definition, isCovering: isCovering)
    _ = try session.run(call, on: definition) { bar.update($0) }
    let verb = isCovering ? "carry" : "no longer carry"
    return (
      "The entries of \(definition.title) \(verb) their documents.",
      IndexRow(definition, .ready, isCovering ? .yes : .no).json
    )
  }

  private func keepOrDropCounts(
    _ session: AdminSession, _ bar: ProgressBar
  ) throws -> (line: String, json: JSONLine) {
    let fields = try countedFields()
    let collectionGroup = collectionGroup ?? ""
    let scope = scope.queryScope
    let call = KeptCountsCall(
      of: fields, in: collectionGroup, scope: scope, areKept: counts != nil)
    _ = try session.run(call) { bar.update($0) }
    let row = IndexRow(
      countsBy: fields.sorted(), in: collectionGroup, scope: scope,
      state: counts != nil ? IndexState.ready.rawValue : "DROPPED")
    let by = fields.isEmpty ? "" : " by \(fields.map(\.description).joined(separator: ", "))"
    let verb = counts != nil ? "are kept" : "are no longer kept"
    return ("Counts of \(collectionGroup)\(by) \(verb).", row.json)
  }

  private func countedFields() throws -> [FieldPath] {
    guard let text = counts ?? noCounts, !text.isEmpty else { return [] }
    return try FieldList(text).paths
  }
}
