import HearthDocumentModel

/// The name of something that is administered, as requests write it (W§8).
struct AdministrationName {
  /// The forms of names. The last part in braces takes the rest of a name.
  enum Form: String {
    case project = "projects/{project}"
    case database = "projects/{project}/databases/{database}"
    case group = "projects/{project}/databases/{database}/collectionGroups/{group}"
    case index =
      "projects/{project}/databases/{database}/collectionGroups/{group}/indexes/{index}"
    case field =
      "projects/{project}/databases/{database}/collectionGroups/{group}/fields/{field}"
    case operation = "projects/{project}/databases/{database}/operations/{operation}"
  }

  /// The group that stands for all groups.
  static let allGroups = "-"

  let text: String
  /// The parts that stand in braces in the form.
  private let parts: [String]

  /// - Throws: `invalidArgument` for a name of another form.
  init(_ text: String, _ form: Form) throws(DatabaseError) {
    self.text = text
    let words = form.rawValue.split(separator: "/")
    let segments = text.split(
      separator: "/", maxSplits: words.count - 1, omittingEmptySubsequences: false)
    var parts: [String] = []
    for (word, segment) in zip(words, segments) {
      if word.first == "{" { parts.append(String(segment)) }
    }
    let isOfForm =
      segments.count == words.count
      && zip(words, segments).allSatisfy { $0.first == "{" ? !$1.isEmpty : $0 == $1 }
    guard isOfForm else {
      throw .invalidArgument("\"\(text)\" is no name of the form \"\(form.rawValue)\".")
    }
    self.parts = parts
  }

  var project: String { parts[0] }

  /// The database that the name names, or whose part it names.
  ///
  /// - Throws: `invalidArgument` for a project with a slash.
  func database() throws(DatabaseError) -> DatabaseID {
    try DatabaseID(project: parts[0], database: parts[1])
  }

  /// The collection group of an index or a field; `-` for all.
  var group: String { parts[2] }

  /// The id at the end of the name.
  var id: String { parts[parts.count - 1] }

  /// Whether the name's group is one, or stands for all.
  func covers(group other: String) -> Bool {
    group == AdministrationName.allGroups || group.utf8Equal(other)
  }
}
