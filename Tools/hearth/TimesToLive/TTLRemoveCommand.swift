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
    try database.withSession { session in
      _ = try session.run(TimeToLiveRemoveCall(field, in: ttl.collectionGroup))
    }
    try OutputWriter.withWriter { writer in
      guard output.json else {
        return try writer.print("Documents of \(ttl.collectionGroup) no longer live by \(field).")
      }
      var json = JSONLine()
      json.append("collectionGroup", .string(ttl.collectionGroup))
      json.append("fieldPath", .string(field.description))
      try writer.print(json)
    }
  }
}
