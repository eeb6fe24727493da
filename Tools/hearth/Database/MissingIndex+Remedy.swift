import HearthAdminSocket
import HearthFirestoreJSON
import Hearth

extension MissingIndex {
  /// Returns two lines: the state of the index in words, and the command that follows from it.
  ///
  /// - Parameter name: the index in words, such as `The index it needs`.
  func remedy(calling name: String, databasePath: String?) -> String {
    var words = name
    if hidden.contains(index) {
      words += " is hidden"
    } else if isBuilding {
      let percent = progress.map { " (\(Figure.percent($0)))" } ?? ""
      words =
        building.count == 1
        ? "\(name) is being built\(percent). Watch it"
        : "\(name.replacing("index", with: "indexes")) are being built\(percent). Watch them"
    }
    return "\(words):\n  \(command(databasePath: databasePath))"
  }

  /// Returns the index for a program, with the command and the part of an index file for it.
  ///
  /// - Parameter present: the single-field indexes of its field, if it is a single-field index.
  func json(databasePath: String?, beside present: [SingleFieldIndex]) -> JSONLine {
    var json = index.proposalJSON(command: command(databasePath: databasePath), beside: present)
    if isBuilding {
      json.append("isBuilding", true)
      json.append("building", building.map(\.json))
    }
    json.append("progress", progress)
    guard isHidden else { return json }
    json.append(
      "hidden",
      hidden.map { hidden -> JSONLine in
        [
          "command": hidden.unhidingCommand(databasePath: databasePath),
          "definition": hidden.json,
        ]
      })
    return json
  }

  /// Returns the command that gives a query the index: it makes the index visible, watches its
  /// build or creates it.
  private func command(databasePath: String?) -> String {
    if hidden.contains(index) { return index.unhidingCommand(databasePath: databasePath) }
    if isBuilding { return IndexDefinition.watchingCommand(databasePath: databasePath) }
    return index.creationCommand(databasePath: databasePath)
  }
}

extension IndexDefinition {
  /// Returns the missing index for a program, with the command and the part of an index file for
  /// it.
  ///
  /// - Parameters:
  ///   - command: the command that gives a query the index, such as the one that creates it.
  ///   - present: the single-field indexes of its field, if it is a single-field index.
  func proposalJSON(command: String, beside present: [SingleFieldIndex]) -> JSONLine {
    var json: JSONLine = ["command": command, "definition": self.json]
    let stanza = IndexStanza.text(for: self, beside: present)
    // Joined into one line: no line of the text begins inside a string.
    let line = stanza.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    json.append("stanza") { $0.append(contentsOf: line.utf8) }
    return json
  }
}
