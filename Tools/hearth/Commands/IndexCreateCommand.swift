import ArgumentParser
import FirestoreJSON
import Hearth

struct IndexCreateCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create an index and build it.",
    discussion: """
      Queries may use the index when the command ends. A build that was broken off goes on where \
      it was when the same index is created again. One field is a single-field index, added to \
      those that the field has.

        hearth index create cities countryCode:asc population:desc
        hearth index create cities alternateNames:contains population:desc
        hearth index create districts population:desc --scope collection-group
        hearth index create songs genre:asc embedding:vector=768
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let definition = try index.definition()
    let bar = ProgressBar(title: "index", unit: "documents")
    defer { bar.finish() }
    try database.withDatabase { database in
      try database.indexes.createOrAdd(definition) { progress in
        bar.update(progress)
      }
    }
    bar.finish()
    try OutputWriter.withWriter { writer in
      guard output.json else { return try writer.print("Created \(definition.title).") }
      try writer.print(IndexRow(definition, .ready).json)
    }
  }
}

extension ProgressBar {
  /// Shows how far an index's build is.
  func update(_ progress: IndexAdministration.Progress) {
    let total = Double(max(progress.documentsTotal, 1))
    update(
      count: progress.documentsDone, fraction: Double(progress.documentsDone) / total)
  }
}

extension IndexDefinition {
  /// The index in a sentence: `the index (a ASC, b DESC) of cities`.
  var title: String {
    var columns = columnsWithoutImpliedName.map(\.description)
    if let vector { columns.append("\(vector.field) VECTOR<\(vector.dimension)>") }
    let group = scope == .collection ? collectionGroup : "collection group \(collectionGroup)"
    return "the index (\(columns.joined(separator: ", "))) of \(group)"
  }
}
