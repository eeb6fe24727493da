import HearthFirestoreJSON

extension ProductionAnswers {
  private static let added = ["ADD [4]", "CURRENT [4] token", "NO_CHANGE token"]

  /// The messages of production to listeners where the recorded emulator sends others, by the
  /// exchange and the step.
  static let sequences: [String: [String]] = [
    "listen/added 4": ["change c/a [4]", "NO_CHANGE token"],
    "listen/deleted 4": ["delete c/d removed [4]", "NO_CHANGE token"],
    "listen/documents-target 4": ["change c/a [8]", "NO_CHANGE token"],
    "listen/documents-target 6": ["delete c/a removed [8]", "NO_CHANGE token"],
    "listen/documents-target 8": ["change c/none [8]", "NO_CHANGE token"],
    "listen/limit-push-out 4": ["change c/00 [6]", "change c/1 removed [6]", "NO_CHANGE token"],
    "listen/limit-refill 4": ["delete c/0 removed [6]", "change c/2 [6]", "NO_CHANGE token"],
    "listen/modified 4": ["change c/d [4]", "NO_CHANGE token"],
    "listen/modified-out 4": ["change c/b removed [4]", "NO_CHANGE token"],
    "listen/no-index 2": ["ADD [4]", "REMOVE [4] cause 9"],
    "listen/once 2": [
      "ADD [4]", "change c/b [4]", "change c/d [4]", "CURRENT [4] token", "NO_CHANGE token",
      "REMOVE [4]",
    ],
    "listen/one-commit-many-documents 4": [
      "delete c/d removed [4]", "change c/a [4]", "change c/e [4]", "NO_CHANGE token",
    ],
    "listen/resume-bad-token 2": ["REMOVE [4] cause 3 bad resume token"],
    "listen/resume-read-time 6": added,
    "listen/resume-token 7": [
      "ADD [4]", "change c/a [4]", "delete c/d removed [4]", "CURRENT [4] token",
      "NO_CHANGE token",
    ],
    "listen/resume-unchanged 6": added,
    "listen/target-id-twice 4": ["REMOVE [4] cause 6 Target ID already exists: 4"],
    "listen/two-targets 6": ["change c/d [4, 6]", "NO_CHANGE token"],
    "listen/unchanged-write 4": [],
    "webchannel/listen 5": ["change c/a [2, 4]", "NO_CHANGE token"],
    "webchannel/long-poll 3": ["change c/a [2]", "NO_CHANGE token"],
  ]
}

extension JSONValue {
  /// A message to a listener in the short form of the recordings.
  var shortForm: String {
    if let change = self["targetChange"] { return change.targetForm }
    for (name, verb) in [("documentChange", "change"), ("documentDelete", "delete")] {
      guard let change = self[name] else { continue }
      let document = change["document"]?["name"]?.string ?? change["document"]?.string ?? ""
      let path = document.split(separator: "/").dropFirst(5).joined(separator: "/")
      var words = [verb, path]
      if let ids = change["targetIds"] { words.append(ids.idsForm) }
      if let ids = change["removedTargetIds"] { words += ["removed", ids.idsForm] }
      return words.joined(separator: " ")
    }
    return line
  }

  private var targetForm: String {
    var words = [self["targetChangeType"]?.string ?? "NO_CHANGE"]
    if let ids = self["targetIds"] { words.append(ids.idsForm) }
    if self["resumeToken"] != nil, self["readTime"] != nil { words.append("token") }
    if let cause = self["cause"], let code = cause["code"]?.number {
      words += ["cause", "\(code)"]
      // That of a missing index has a link, which another test reads.
      if code != 9 { words.append(cause["message"]?.string ?? "") }
    }
    return words.joined(separator: " ")
  }

  private var idsForm: String {
    "[\(elements.map { "\($0.number ?? 0)" }.joined(separator: ", "))]"
  }
}
