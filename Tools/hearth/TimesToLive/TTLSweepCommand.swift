import HearthAdminSocket
import ArgumentParser
import Hearth

struct TTLSweepCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Delete now the documents whose time is past.",
    discussion: """
      The documents of a collection id whose times are the oldest are deleted first, a hundred in \
      each commit.

        hearth ttl sweep
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let bar = ProgressBar(title: "sweep", unit: "documents")
    defer { bar.finish() }
    let count = try database.withSession { session in
      try session.run(SweepCall()) { bar.update(count: $0.count, fraction: nil) }.count
    }
    bar.finish()
    try OutputWriter.withWriter { writer in
      guard output.json else {
        return try writer.print("Deleted \(Figure.documents(count)).")
      }
      var json = JSONLine()
      json.append("documents", .integer(Int64(count)))
      try writer.print(json)
    }
  }
}
