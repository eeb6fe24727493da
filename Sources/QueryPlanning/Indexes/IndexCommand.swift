import HearthDocumentModel

// The text of an index for the command-line tool. Errors give commands to copy.
extension IndexMode {
  /// The mode as a user types it.
  package var word: String {
    switch self {
    case .ascending: "asc"
    case .descending: "desc"
    case .contains: "contains"
    }
  }
}

extension IndexDefinition {
  /// The columns without `__name__` if a definition without it means the same index (§3.4).
  package var columnsWithoutImpliedName: [IndexColumn] {
    let columns = Array(columns.dropLast())
    guard !columns.isEmpty || vector != nil,
      IndexDefinition(collectionGroup, columns, scope: scope, vector: vector) == self
    else {
      return self.columns
    }
    return columns
  }

  /// The columns as a user types them, without an implied `__name__`.
  package var columnArguments: [String] {
    columnsWithoutImpliedName.map { "\($0.field):\($0.mode.word)" }
      + (vector.map { ["\($0.field):vector=\($0.dimension)"] } ?? [])
  }

  /// Returns the command that creates the index, ready for a shell.
  ///
  /// - Parameter databasePath: the value of `--db`; `nil` if the environment named the database.
  package func creationCommand(databasePath: String?) -> String {
    command("create", databasePath: databasePath)
  }

  /// Returns the command that makes the index visible again if it is hidden.
  package func unhidingCommand(databasePath: String?) -> String {
    command("unhide", databasePath: databasePath)
  }

  /// Returns the command that follows the builds of all indexes.
  package static func watchingCommand(databasePath: String?) -> String {
    let words = ["hearth", "index", "watch"] + databaseOption(databasePath)
    return words.map(\.shellWord).joined(separator: " ")
  }

  private static func databaseOption(_ path: String?) -> [String] {
    guard let path else { return [] }
    return path.hasPrefix("-") ? ["--db=\(path)"] : ["--db", path]
  }

  private func command(_ name: String, databasePath: String?) -> String {
    var words = ["hearth", "index", name]
    var options: [String] = []
    if scope == .collectionGroup { options += ["--scope", "collection-group"] }
    options += IndexDefinition.databaseOption(databasePath)
    let index = [collectionGroup] + columnArguments
    // An argument that begins like an option is not taken for one after `--`.
    words += collectionGroup.hasPrefix("-") ? options + ["--"] + index : index + options
    return words.map(\.shellWord).joined(separator: " ")
  }
}

extension String {
  /// The text as one word of a POSIX shell, in single quotes if it needs them.
  package var shellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_@%+=:,./-".utf8.contains(byte)
        }
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
