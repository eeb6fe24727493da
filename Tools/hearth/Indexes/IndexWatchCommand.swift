import HearthAdminSocket
import ArgumentParser
import Hearth

struct IndexWatchCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow the current builds of indexes to their end.",
    discussion: """
      If no application has the database open, this command runs the unfinished builds. A paused \
      build is reported, but not waited for. Ends with 1 if a build failed, even if it failed \
      before the command, since the application opened the database, and the index is still \
      missing. --json prints a line each time that a build moves, and one for each build at the \
      end.

        hearth index watch
        hearth index watch --json
      """)

  @OptionGroup var pace: BuildOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let bar = ProgressBar(title: "index", unit: "documents")
    defer { bar.finish() }
    let builds = try OutputWriter.withWriter { writer in
      let builds = try database.run(IndexBuildsCall(isAwaited: true, pace: pace.pace)) { status in
        bar.update(status)
        guard output.json else { return }
        try writer.print(BuildRow(status).json)
        try writer.flush()
      }.elements
      bar.finish()
      for row in builds.map(BuildRow.init) {
        if output.json { try writer.print(row.json) } else { try writer.print(row.line) }
      }
      if builds.isEmpty, !output.json { try writer.print("No index is being built.") }
      return builds
    }
    if builds.contains(where: { $0.state == .failed }) {
      throw ExitCode(ExitStatus.refused.rawValue)
    }
  }
}
