import AdminSocket
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

  /// Production's message, and the index that it asks for, ready to paste.
  var text: String {
    let stanza = stanza(of: missing.index).split(separator: "\n").map { "  \($0)\n" }.joined()
    var text = """
      \(error.message)

      \(remedy.words)
        \(remedy.command)

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

  /// What to do, and the command that does it.
  private var remedy: (words: String, command: String) {
    if missing.hidden.contains(missing.index) {
      return (
        "The index it needs is hidden:", missing.index.unhidingCommand(databasePath: databasePath)
      )
    }
    if missing.isBuilding {
      let percent = missing.progress.map { " (\(Figure.percent($0)))" } ?? ""
      let words =
        missing.building.count == 1
        ? "The index it needs is being built\(percent). Watch it:"
        : "The indexes it needs are being built\(percent). Watch them:"
      return (words, IndexDefinition.watchingCommand(databasePath: databasePath))
    }
    return ("The index it needs:", command(for: missing.index))
  }

  /// An index that would do as well and can be created: what is there can only be shown again.
  private var smaller: IndexDefinition? {
    missing.smaller.flatMap { missing.hidden.contains($0) ? nil : $0 }
  }

  /// The same for a program.
  var json: JSONLine {
    var index = missing.index.proposalJSON(command: remedy.command, beside: present)
    if missing.isBuilding {
      index.append("isBuilding", .boolean(true))
      index.append("building", missing.building.map(\.json))
    }
    if let progress = missing.progress { index.append("progress", .double(progress)) }
    if missing.isHidden {
      index.append(
        "hidden",
        missing.hidden.map { hidden in
          var json = JSONLine()
          json.append(
            "command", .string(hidden.unhidingCommand(databasePath: databasePath)))
          json.append("definition", hidden.json)
          return json
        })
    }
    if let smaller {
      let json = smaller.proposalJSON(command: command(for: smaller), beside: present)
      index.append("smaller", json)
    }
    var json = JSONLine(error.code, error.message)
    json.append("missingIndex", index)
    return json
  }

  private func command(for index: IndexDefinition) -> String {
    index.creationCommand(databasePath: databasePath)
  }

  private func stanza(of index: IndexDefinition) -> String {
    IndexStanza.text(for: index, beside: present)
  }
}

extension IndexDefinition {
  /// The index that is needed: by command, for a program, and in an index file.
  ///
  /// - Parameters:
  ///   - command: what gives a query the index, such as the one that creates it.
  ///   - present: the single-field indexes that it would stand beside, where it is one.
  func proposalJSON(command: String, beside present: [SingleFieldIndex]) -> JSONLine {
    var json = JSONLine()
    json.append("command", .string(command))
    json.append("definition", self.json)
    let stanza = IndexStanza.text(for: self, beside: present)
    // On one line: no line of it begins inside a string.
    let line = stanza.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    json.append("stanza") { $0.append(contentsOf: line.utf8) }
    return json
  }
}
