import ArgumentParser
import HearthDocumentEngine
import HearthFirestoreJSON
import Hearth

struct CommitCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit",
    abstract: "Apply writes given as the JSON of Firestore's REST interface.",
    discussion: """
      The file holds the body of a commit request, whose writes are applied all or none. With \
      --batch it holds the body of a batchWrite request, whose writes are applied or refused one \
      by one; the command ends with 1 if any is refused. The answer is that of the REST interface.

        hearth commit writes.json
        echo '{"writes": [{"delete": "projects/demo-project/databases/(default)/documents/a/b"}]}' \
      | hearth commit -

      The database is created if it is missing.
      """)

  @Argument(help: "The request; - is standard input.", completion: .file())
  var file: String

  @Flag(help: "Apply or refuse the writes one by one.")
  var batch = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let json = try InputFile(path: file).text()
    // A request that can't be read creates no database. Its database's name is checked when one is
    // open.
    _ = try writes(of: json, in: nil)
    let refusedCount = try database.withSession(creating: true) { session in
      let (answer, refusedCount) = try apply(json, in: session)
      try OutputWriter.withWriter { writer in
        try writer.append { bytes in
          bytes.append(contentsOf: answer)
          bytes.append(.newline)
        }
      }
      return refusedCount
    }
    if refusedCount > 0 { throw ExitCode(ExitStatus.refused.rawValue) }
  }

  private func apply(
    _ json: [UInt8], in session: AdminSession
  ) throws -> (answer: [UInt8], refusedCount: Int) {
    let writes = try writes(of: json, in: session.databaseID)
    if batch {
      let results = try session.run(BatchWriteCall(writes)).results
      let refusedCount = results.count { if case .failure = $0 { true } else { false } }
      return (RESTResponse.batchWrite(results), refusedCount)
    }
    let answer = try session.run(CommitCall(writes))
    return (RESTResponse.commit(answer.results, commitTime: answer.commitTime), 0)
  }

  private func writes(of json: [UInt8], in database: DatabaseID?) throws -> [Write] {
    if batch { return try BatchWriteMessage(json: json, in: database).writes }
    let message = try CommitMessage(json: json, in: database)
    guard message.transaction == nil else {
      throw ToolFailure.badInput("the request ends a transaction: take transaction out of it.")
    }
    return message.writes
  }
}
