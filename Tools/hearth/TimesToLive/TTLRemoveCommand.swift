import ArgumentParser
import Hearth

struct TTLRemoveCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Stop the deletion of documents after the time in a field.",
    discussion: """
      The field's times no longer delete any document.

        hearth ttl remove sessions expiresAt
      """)

  @OptionGroup var ttl: TTLArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let field = try ttl.path()
    _ = try database.run(TimeToLiveRemoveCall(field, in: ttl.collectionGroup))
    try output.report(
      ["collectionGroup": ttl.collectionGroup, "fieldPath": field.description],
      "Documents of \(ttl.collectionGroup) no longer live by \(field).")
  }
}
