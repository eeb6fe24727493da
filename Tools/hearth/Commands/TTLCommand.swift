import ArgumentParser

struct TTLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ttl",
    abstract: "Let documents go by the time in one of their fields.",
    discussion: """
      A document whose time is past is deleted some time after it, in the background of the \
      application that has the database open, or by `hearth ttl sweep`. Up to then it is read like \
      any other. Documents with no time in the field stay, and so does what lies below a document.

        hearth ttl set sessions expiresAt
        hearth ttl set visits leftAt --offset 2592000
        hearth ttl sweep
      """,
    subcommands: [
      TTLSetCommand.self, TTLListCommand.self, TTLRemoveCommand.self, TTLSweepCommand.self,
    ])
}
