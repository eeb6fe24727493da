import HearthDocumentModel
import HearthQueryPlanning

/// A `gcloud firestore indexes composite create` command (§6.6), as it appears in production's
/// errors and in other documentation.
struct GcloudCommand {
  private static let name = ["firestore", "indexes", "composite", "create"]

  private var collectionGroup: String?
  private var scope = QueryScope.collection
  private var columns: [IndexColumn] = []
  private var vector: VectorColumn?
  private var project: String?
  private var database: String?

  /// Returns the text from the start of the command. Text before it that mentions gcloud is
  /// skipped.
  static func text(in text: String) -> Substring? {
    for range in text.ranges(of: "gcloud ") {
      let rest = text[range.upperBound...].drop { $0 == " " }
      let isCommand = ["firestore", "alpha", "beta", "-"].contains { rest.hasPrefix($0) }
      if isCommand { return text[range.lowerBound...] }
    }
    return nil
  }

  /// Reads the command at the beginning of a text, up to the end of its line.
  ///
  /// - Throws: `invalidArgument` for another command, and for flags that are unknown or belong to
  ///   other editions; the error names the flag.
  init(_ text: some StringProtocol) throws(DatabaseError) {
    try self.init(words: ShellWords.words(of: text))
  }

  /// Reads a command that a shell has split into words.
  init(words: [String]) throws(DatabaseError) {
    var words = words[...]
    guard words.popFirst() == "gcloud" else { throw .notTheCommand }
    if let track = words.first, ["alpha", "beta"].contains(track) { words.removeFirst() }
    var expected = GcloudCommand.name[...]
    while let word = words.popFirst() {
      if word.hasPrefix("-") {
        try take(word, &words)
      } else {
        guard let next = expected.popFirst(), next.utf8Equal(word) else { throw .notTheCommand }
      }
    }
    guard expected.isEmpty else { throw .notTheCommand }
  }

  /// Returns the index that the command creates.
  func request() throws(DatabaseError) -> IndexRequest {
    guard let collectionGroup else {
      throw .invalidArgument("The command lacks --collection-group.")
    }
    guard !columns.isEmpty || vector != nil else {
      throw .invalidArgument("The command lacks --field-config.")
    }
    let index = IndexDefinition(collectionGroup, columns, scope: scope, vector: vector)
    try index.validate()
    guard project != nil || database != nil else { return IndexRequest(index) }
    let named = try DatabaseID(
      project: project ?? DatabaseID.default.project,
      database: database ?? DatabaseID.default.database)
    var request = IndexRequest(index, in: project == nil ? nil : named)
    if project == nil { request.databaseOfAnyProject = named.database }
    return request
  }

  /// Takes one flag. Its value is in the same word, or in the next one.
  private mutating func take(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(DatabaseError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let flag = String(parts[0])
    func value() throws(DatabaseError) -> String {
      if parts.count == 2 { return String(parts[1]) }
      guard let next = rest.popFirst() else {
        throw .invalidArgument("The command's \(flag) lacks its value.")
      }
      return next
    }
    switch flag {
    case "--collection-group":
      collectionGroup = try ResourcePath.validated(value(), isCollection: true)
    case "--query-scope": scope = try GcloudCommand.scope(value())
    case "--field-config": try addField(value())
    case "--project": project = try value()
    case "--database": database = try value()
    case "--api-scope": try GcloudCommand.expect(value(), "any-api", of: flag)
    case "--density": try GcloudCommand.expect(value(), "sparse-all", of: flag)
    case "--multikey", "--unique", "--search-index-options", "--shard-count":
      throw .invalidArgument("The command's \(flag) is of the Enterprise edition: not supported.")
    // Options of gcloud itself and of its output.
    case "--async", "--no-async", "--quiet", "-q", "--no-multikey", "--no-unique",
      "--user-output-enabled", "--log-http":
      return
    case "--account", "--billing-project", "--configuration", "--format", "--verbosity",
      "--impersonate-service-account":
      _ = try value()
    default: throw .invalidArgument("The command's \(flag) is not known.")
    }
  }

  private static func scope(_ text: String) throws(DatabaseError) -> QueryScope {
    switch text.asFlagValue {
    case "collection": return .collection
    case "collection-group": return .collectionGroup
    case "collection-recursive":
      throw .invalidArgument("The command's --query-scope=\(text) is one that only Datastore has.")
    default:
      throw .invalidArgument(
        "The command's --query-scope must be collection or collection-group, not \"\(text)\".")
    }
  }

  private static func expect(
    _ text: String, _ only: String, of flag: String
  ) throws(DatabaseError) {
    guard text.asFlagValue.utf8Equal(only) else {
      throw .invalidArgument(
        "The command's \(flag)=\(text) is one that only other editions or interfaces have: it "
          + "must be \(only).")
    }
  }

  // MARK: Fields

  /// Reads `field-path=n,order=ascending`.
  private mutating func addField(_ text: String) throws(DatabaseError) {
    var path: FieldPath?
    var mode: IndexMode?
    var dimension: Int?
    var names: [Substring] = []
    for part in text.splitAtCommas {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw .malformed(field: text) }
      // A field has one path and one of the other options.
      let isPath = pair[0] == "field-path"
      if let other = names.first(where: { ($0 == "field-path") == isPath }) {
        throw .invalidArgument(
          "The command's --field-config has "
            + (other == pair[0] ? "\(other) twice" : "\(pair[0]) beside \(other)") + ": \(text)")
      }
      names.append(pair[0])
      let value = String(pair[1])
      switch (pair[0], value.asFlagValue) {
      case ("field-path", _): path = try FieldPath(value)
      case ("order", "ascending"): mode = .ascending
      case ("order", "descending"): mode = .descending
      case ("array-config", "contains"): mode = .contains
      case ("vector-config", _): dimension = try GcloudCommand.dimension(value)
      case ("search-config", _), ("search-index-options", _):
        throw .invalidArgument(
          "The command's --field-config has \(pair[0]), which is of the Enterprise edition.")
      default: throw .malformed(field: text)
      }
    }
    guard let path, (mode == nil) != (dimension == nil) else { throw .malformed(field: text) }
    guard vector == nil else {
      throw .invalidArgument("The command has a field after the vector \(vector?.field ?? path).")
    }
    if let mode { columns.append(IndexColumn(path, mode)) }
    if let dimension { vector = VectorColumn(path, dimension: dimension) }
  }

  /// Reads `{"dimension":"3","flat": "{}"}`. Its numbers and objects may be strings.
  private static func dimension(_ text: String) throws(DatabaseError) -> Int {
    guard let json = try? JSONValue(parsing: Array(text.utf8)), case .object(let members) = json
    else { throw .malformed(field: text) }
    var dimension: Int?
    for (name, value) in members {
      switch (name, value) {
      case ("dimension", .integer(let number)): dimension = Int(number)
      case ("dimension", .string(let number)): dimension = Int(number)
      case ("flat", _): continue
      default: throw .malformed(field: text)
      }
    }
    guard let dimension else { throw .malformed(field: text) }
    return dimension
  }
}

extension DatabaseError {
  fileprivate static var notTheCommand: DatabaseError {
    .invalidArgument(
      "Of gcloud's commands only `gcloud firestore indexes composite create` is understood.")
  }

  fileprivate static func malformed(field: String) -> DatabaseError {
    .invalidArgument(
      "The command's --field-config is not understood: \(field). It is written as "
        + "field-path=F,order=ascending, with order=descending, array-config=contains or "
        + "vector-config={\"dimension\":\"3\",\"flat\":\"{}\"} in place of the order.")
  }
}

extension String {
  /// The value in lower case, with hyphens: errors write it in capitals.
  fileprivate var asFlagValue: String { lowercased().replacing("_", with: "-") }

  /// The parts between commas. Commas in braces, double quotes and backticks don't separate.
  fileprivate var splitAtCommas: [String] {
    var parts: [String] = [""]
    var depth = 0
    var quote: Character?
    for character in self {
      switch character {
      case "\"", "`":
        if quote == nil { quote = character } else if quote == character { quote = nil }
      case "{" where quote == nil: depth += 1
      case "}" where quote == nil: depth -= 1
      case "," where quote == nil && depth == 0:
        parts.append("")
        continue
      default: break
      }
      parts[parts.count - 1].append(character)
    }
    return parts
  }
}
