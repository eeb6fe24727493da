import ArgumentParser

struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Create, build, list, drop and tune indexes.",
    discussion: """
      Every field has single-field indexes from the beginning: ascending, descending and, for \
      arrays, contains. A query over several fields may need a composite index, which is created \
      here; a refused query prints the command for it.
      """,
    subcommands: [
      IndexCreateCommand.self, IndexListCommand.self, IndexWatchCommand.self,
      IndexPauseCommand.self, IndexResumeCommand.self, IndexCancelCommand.self,
      IndexDropCommand.self, IndexTuneCommand.self,
      IndexExportCommand.self, IndexDiffCommand.self, IndexApplyCommand.self,
      IndexRedundantCommand.self, IndexHideCommand.self, IndexUnhideCommand.self,
      IndexUnusedCommand.self,
    ])
}
