import ArgumentParser

struct TTLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ttl",
    abstract: "Delete documents after the time in one of their fields.",
    discussion: """
      A document whose time is past is deleted some time later, in the background of the \
      application that has the database open, or by `hearth ttl sweep`. Until then it is read like \
      any other. Documents without a time in the field stay, and so do documents below a deleted \
      one.

        hearth ttl set sessions expiresAt
        hearth ttl set visits leftAt --delay 2592000
        hearth ttl sweep
      """,
    subcommands: [
      TTLSetCommand.self, TTLListCommand.self, TTLRemoveCommand.self, TTLSweepCommand.self,
    ])
}
