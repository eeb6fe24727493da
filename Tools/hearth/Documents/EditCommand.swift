import ArgumentParser
import FoundationEssentials
import HearthFirestoreJSON
import Hearth

struct EditCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a document in an editor.",
    discussion: """
      Opens the fields as JSON in the editor that VISUAL or EDITOR names, or else vi, and writes \
      them back when it ends. A value that was not changed keeps its type; one that was a \
      timestamp, bytes, a reference, a geopoint or a vector becomes one again. With --typed the \
      JSON has all types.

      If another write has changed the document meanwhile, nothing is written. Text that can't be \
      written stays in a file, which the error names. If the text is no JSON, the command asks \
      whether to edit again. While the editor is open, the database is not.

        hearth edit cities/tokyo
        EDITOR='code --wait' hearth edit cities/tokyo --typed
      """)

  @Argument(help: "The path of the document.")
  var path: String

  @Flag(help: "Edit the JSON of Firestore's REST interface, which has all types.")
  var typed = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let path = try ResourcePath(path).ofDocument()
    let editor = try editor()
    let (document, id) = try database.withSession { session in
      (try session.run(DocumentCall(path)).document, session.databaseID)
    }
    guard let document, let time = document.updateTime else {
      throw ToolFailure.notFound("there is no document \(path): `hearth set` creates it.")
    }
    let text = EditedFields(of: document.fields, in: id, isTyped: typed)
    let file = try EditedFile(of: path, text.bytes)
    guard let fields = try edit(file, text, by: editor), fields != document.fields else {
      file.remove()
      return StandardError.print("nothing was changed")
    }
    let answer = try file.keeping("the document is as it was") {
      try database.withSession { session in
        do {
          return try session.run(
            CommitCall([
              Write(
                path: path, operation: .update(fields: fields, mask: nil),
                precondition: .updateTime(time))
            ]))
        } catch let error as DatabaseError
          where [.failedPrecondition, .notFound].contains(error.code)
        {
          throw ToolFailure(
            .refused, error.code, "\(path) has been changed or deleted since it was read.")
        }
      }
    }
    file.remove()
    try output.report(answer, of: path)
  }

  /// Returns the command of the user's editor. Without a terminal there is none to fall back to.
  private func editor() throws(ToolFailure) -> String {
    let environment = ProcessInfo.processInfo.environment
    if let chosen = ["VISUAL", "EDITOR"].compactMap({ environment[$0] }).first(where: {
      !$0.isEmpty
    }) {
      return chosen
    }
    guard Confirmation.isPossible else {
      throw ToolFailure(
        .usage, .failedPrecondition,
        "there is no terminal for vi: name an editor in the variable EDITOR.")
    }
    return "vi"
  }

  /// Runs the editor until its text can be read; `nil` if it is the same as before.
  private func edit(
    _ file: EditedFile, _ text: EditedFields, by editor: String
  ) throws -> MapValue? {
    while true {
      let status = try ChildProcess.runEditor(editor, file.path)
      guard status == 0 else {
        throw ToolFailure(
          .refused, .cancelled,
          "the editor (\(editor)) ended with \(status), so nothing was written. The text is in "
            + "\(file.path).")
      }
      let bytes = try InputFile(path: file.path).bytes()
      guard bytes != text.bytes else { return nil }
      do throws(ToolFailure) {
        return try text.fields(from: bytes)
      } catch {
        guard Confirmation.isPossible else { throw file.kept(after: error) }
        StandardError.print(error.message)
        guard try Confirmation.ask("Edit again?") else { throw file.kept(after: error) }
      }
    }
  }
}

/// A file in a folder of its own, with the text that is edited.
private struct EditedFile {
  private let folder: URL
  let path: String

  init(of document: ResourcePath, _ bytes: [UInt8]) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "hearth-edit-\(UInt64.random(in: 0 ... .max))")
    // Only the user may read the document there.
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let id = document.lastSegment ?? ""
    let name = String(id.prefix(50).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    path = folder.appending(path: "\(name).json").path
    try OutputFile(path: path).write(bytes)
  }

  func remove() {
    // A file that is left among the temporary ones does no harm.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs `body`, and names the file in its failure.
  func keeping<Result>(_ state: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ToolFailure {
      throw kept(after: error, state)
    } catch let error as DatabaseError {
      throw kept(
        after: ToolFailure(ExitStatus(error), error.code, error.message.sentence), state)
    }
  }

  func kept(after failure: ToolFailure, _ state: String = "nothing was written") -> ToolFailure {
    ToolFailure(
      failure.status, failure.code,
      "\(failure.message)\nYour text is kept in \(path); \(state).")
  }
}
