import ArgumentParser
import Dispatch
import FoundationEssentials
import Hearth

struct ConsoleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console",
    abstract: "Show a database in a browser.",
    discussion: """
      Serves the database, as `hearth serve` does, on this machine alone, and opens its console: \
      documents, queries with their plans and refusals, and indexes. It ends with Ctrl-C. The \
      browser is the command in BROWSER, or else xdg-open; without one, open the printed address.

        hearth console --db cities.hearth

      A database that an application has open can't be served beside it.
      """)

  private static let usualBrowser = "xdg-open"

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "The number of the port; 0 picks a free one.", valueName: "number"))
  var port = 0

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port takes a number from 0 to 65535.")
    }
  }

  func run() throws {
    var arguments = ["--db=\(try database.folder())", "--port=\(port)"]
    if let wait = database.wait { arguments.append("--wait=\(wait)") }
    try ServeCommand.parse(arguments).run { notice in
      guard let address = notice.console else { return }
      let chosen = ProcessInfo.processInfo.environment["BROWSER"] ?? ""
      let browser = chosen.isEmpty ? ConsoleCommand.usualBrowser : chosen
      // Some browsers end at once, others when they are closed.
      DispatchQueue.global().async {
        guard (try? ChildProcess.runBrowser(browser, address)) != 0 else { return }
        StandardError.print("Note: \(browser) opened no browser: open \(address).")
      }
    }
  }
}
