import HearthDocumentModel

/// The address of a part of Hearth's own administration.
enum InspectionAddress {
  /// `GET /v1/calls?from=7`
  case calls(from: Int)
  /// `GET /v1/calls/7`
  case call(Int)
  /// `GET /v1/health`
  case health
  /// `GET /v1/projects/P/databases/D/indexes`
  case indexes(DatabaseID)
  /// `POST /v1/projects/P/databases/D/collectionGroups/G/indexes/I:hide` and `:unhide`
  case hiding(Bool, name: String)
  /// `POST /v1/projects/P/databases/D/documents:explain`, or of a document's path
  case explanation(parent: String)
  /// `POST /v1/projects/P/databases/D:tryRules`
  case trial(DatabaseID)

  /// - Parameter target: the target of a request without its prefix.
  /// - Returns: `nil` for another address.
  /// - Throws: `invalidArgument` for an id that no database can have.
  init?(_ method: String, _ target: String) throws(DatabaseError) {
    guard var address = RESTAddress(target) else { return nil }
    let verbs = ["hide", "unhide", "explain", "tryRules"]
    let verb = method == "POST" ? address.removeVerb(of: verbs) : nil
    guard let path = address.path, path.first == "v1", !path.contains("") else { return nil }
    let words = Array(path.dropFirst())
    let call = verb ?? method
    switch (call, words.count) {
    case ("GET", 1) where words[0] == "health": self = .health
    case ("GET", 1) where words[0] == "calls":
      let from = address.parameters.first { $0.name == "from" }.map(\.value) ?? "0"
      guard let number = Int(from), number >= 0 else {
        throw .invalidArgument("\"\(from)\" is no number of a call.")
      }
      self = .calls(from: number)
    case ("GET", 2) where words[0] == "calls":
      guard let number = Int(words[1]), number >= 0 else { return nil }
      self = .call(number)
    default:
      guard words.count >= 4, words[0] == "projects", words[2] == "databases" else { return nil }
      let id = try DatabaseID(project: words[1], database: words[3])
      switch (call, words.count) {
      case ("GET", 5) where words[4] == "indexes": self = .indexes(id)
      case ("tryRules", 4): self = .trial(id)
      case ("hide", 8), ("unhide", 8):
        self = .hiding(call == "hide", name: words.joined(separator: "/"))
      case ("explain", 5...) where words[4] == "documents":
        self = .explanation(parent: words.joined(separator: "/"))
      default: return nil
      }
    }
  }
}
