import HearthAdminSocket
import HearthFirestoreJSON
import Hearth

/// A query that no index serves, and a remedy.
struct Refusal: Error {
  private let error: DatabaseError
  private let missing: MissingIndex
  private let databasePath: String?
  /// Single-field indexes of the missing index's field, if it is a single-field index too.
  private let present: [SingleFieldIndex]

  init(
    _ error: DatabaseError, _ missing: MissingIndex, by session: AdminSession,
    options: DatabaseOptions
  ) throws {
    self.error = error
    self.missing = missing
    databasePath = options.path
    present =
      if let single = missing.index.singleField {
        try session.run(
          SingleFieldIndexesCall(of: single.field, in: missing.index.collectionGroup)
        ).elements
      } else {
        []
      }
  }

  /// Production's message, and the missing index, ready to paste.
  var text: String {
    let stanza = stanza(of: missing.index).split(separator: "\n").map { "  \($0)\n" }.joined()
    let remedy = missing.remedy(calling: "The index it needs", databasePath: databasePath)
    var text = """
      \(error.message)

      \(remedy)

      firestore.indexes.json:
      \(stanza)
      """
    for hidden in missing.hidden where hidden != missing.index {
      text += """

        A hidden index would do as well:
          \(hidden.unhidingCommand(databasePath: databasePath))
        """
    }
    if let smaller {
      text += """

        A smaller index would do beside the present ones:
          \(command(for: smaller))
        """
    }
    while text.last == "\n" { text.removeLast() }
    return text
  }

  /// A smaller index that would also do and can be created. An index that exists but is hidden can
  /// only be unhidden.
  private var smaller: IndexDefinition? {
    missing.smaller.flatMap { missing.hidden.contains($0) ? nil : $0 }
  }

  /// The arguments of the command that creates the index; `nil` if there is none to create.
  var creation: [String]? {
    guard !missing.isHidden, !missing.isBuilding else { return nil }
    return (try? ShellWords.words(of: command(for: missing.index))).map { Array($0.dropFirst()) }
  }

  /// The refusal for a program.
  var json: JSONLine {
    var index = missing.json(databasePath: databasePath, beside: present)
    index.append(
      "smaller", smaller.map { $0.proposalJSON(command: command(for: $0), beside: present) })
    return JSONLine(error.code, error.message) + ["missingIndex": index]
  }

  private func command(for index: IndexDefinition) -> String {
    index.creationCommand(databasePath: databasePath)
  }

  private func stanza(of index: IndexDefinition) -> String {
    IndexStanza.text(for: index, beside: present)
  }
}
