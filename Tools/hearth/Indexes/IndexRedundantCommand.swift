import HearthAdminSocket
import ArgumentParser
import Hearth

struct IndexRedundantCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "redundant",
    abstract: "List the composite indexes whose queries other indexes serve too.",
    discussion: """
      An index is redundant if every query that it serves would be served without it too, by \
      another index or by a merge of several. This follows from the indexes alone; `index unused` \
      lists the indexes that no query has used. Columns in a pipe are separated by tabs: \
      collection id, scope, fields, advice, the indexes that serve instead.

        drop    can be dropped, together with all others of this advice
        keep    could be dropped, but replaces one of the advice drop
        orders  can be dropped unless queries also sort by a field that they compare with one value

        hearth index redundant
      """)

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func run() throws {
    let indexes = try database.run(RedundantIndexesCall()).elements
    try output.list(indexes, RedundantIndex.columns, \.advisedJSON, \.cells)
  }
}

extension RedundantIndex {
  fileprivate static let columns = ["collection", "scope", "fields", "advice", "served by"]
    .map { TextTable.Column($0) }

  fileprivate var cells: [String] {
    [
      definition.collectionGroup, definition.scope.rawValue,
      definition.columnArguments.joined(separator: " "), advice,
      replacements.map(\.description).joined(separator: ", "),
    ]
  }

  private var advice: String {
    guard isWhole else { return "orders" }
    return isDroppable ? "drop" : "keep"
  }

  fileprivate var advisedJSON: JSONLine {
    definition.json + ["advice": advice, "servedBy": replacements.map(\.json)]
  }
}
