import FirestoreJSON
import Hearth

/// A query that no index serves, with what to do about it.
struct Refusal: Error {
  private let error: DatabaseError
  private let missing: MissingIndex
  private let databasePath: String?
  /// The single-field indexes that the missing one would stand beside, where it is one itself.
  private let present: [SingleFieldIndex]

  init(
    _ error: DatabaseError, _ missing: MissingIndex, by database: Database,
    options: DatabaseOptions
  ) throws(DatabaseError) {
    self.error = error
    self.missing = missing
    databasePath = options.path
    present =
      if let single = missing.index.singleField {
        try database.indexes.singleFieldIndexes(
          of: single.field, in: missing.index.collectionGroup
        ).map(\.index)
      } else {
        []
      }
  }

  /// Production's message, and the index that it asks for, ready to paste.
  var text: String {
    let stanza = stanza(of: missing.index).split(separator: "\n").map { "  \($0)\n" }.joined()
    var text = """
      \(error.message)

      \(missing.isBuilding ? "Its build was broken off. This goes on:" : "The index it needs:")
        \(command(for: missing.index))

      firestore.indexes.json:
      \(stanza)
      """
    if let smaller = missing.smaller {
      text += """

        A smaller index would do beside the present ones:
          \(command(for: smaller))
        """
    }
    while text.last == "\n" { text.removeLast() }
    return text
  }

  /// The same for a program.
  var json: JSONLine {
    var index = json(of: missing.index)
    if missing.isBuilding { index.append("isBuilding", .boolean(true)) }
    if let smaller = missing.smaller { index.append("smaller", json(of: smaller)) }
    var json = JSONLine(error.code, error.message)
    json.append("missingIndex", index)
    return json
  }

  private func json(of index: IndexDefinition) -> JSONLine {
    index.proposalJSON(databasePath: databasePath, beside: present)
  }

  private func command(for index: IndexDefinition) -> String {
    index.creationCommand(databasePath: databasePath)
  }

  private func stanza(of index: IndexDefinition) -> String {
    IndexStanza.text(for: index, beside: present)
  }
}

extension IndexDefinition {
  /// The index as something to create: by command, for a program, and in an index file.
  ///
  /// - Parameter present: the single-field indexes that it would stand beside, where it is one.
  func proposalJSON(
    databasePath: String?, beside present: [SingleFieldIndex]
  ) -> JSONLine {
    var json = JSONLine()
    json.append("command", .string(creationCommand(databasePath: databasePath)))
    json.append("definition", self.json)
    let stanza = IndexStanza.text(for: self, beside: present)
    // On one line: no line of it begins inside a string.
    let line = stanza.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    json.append("stanza") { $0.append(contentsOf: line.utf8) }
    return json
  }
}
