import HearthAdminSocket
import ArgumentParser
import Hearth

struct TTLSetCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Delete documents after the time in a field.",
    discussion: """
      A collection id has at most one such field. If the field is set already, only the delay \
      changes.

        hearth ttl set sessions expiresAt
        hearth ttl set visits leftAt --delay 2592000
      """)

  @OptionGroup var ttl: TTLArguments

  @Option(
    help: ArgumentHelp(
      "The delay of the deletion after that time. (default: 0)", valueName: "seconds"))
  var delay: Int?

  /// The earlier name of ``delay``. Elsewhere it is the number of results to skip.
  @Option(help: .hidden)
  var offset: Int?

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let field = try ttl.path()
    let bar = ProgressBar(title: "ttl", unit: "documents")
    defer { bar.finish() }
    let policies = try database.withSession { session in
      let call = TimeToLiveSetCall(
        field, in: ttl.collectionGroup, offsetSeconds: delay ?? offset ?? 0)
      _ = try session.run(call) { bar.update($0) }
      return try session.run(TimeToLiveListCall()).elements
    }
    bar.finish()
    try OutputWriter.withWriter { writer in
      guard output.json else {
        return try writer.print("Documents of \(ttl.collectionGroup) live by \(field).")
      }
      for policy in policies where policy.field == field {
        guard policy.collectionGroup.utf8.elementsEqual(ttl.collectionGroup.utf8) else { continue }
        try writer.print(TTLRow(policy).json)
      }
    }
  }
}
