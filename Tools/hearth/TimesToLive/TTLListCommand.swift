import HearthAdminSocket
import ArgumentParser
import Hearth

struct TTLListCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the fields with a time to live.",
    discussion: """
      Columns in a pipe are separated by tabs: collection id, field, offset, state.

        hearth ttl list
        hearth ttl list --json
      """)

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func run() throws {
    let rows = try database.run(TimeToLiveListCall()).elements.map(TTLRow.init)
    try output.list(rows, TTLRow.columns, \.json, \.cells)
  }
}
