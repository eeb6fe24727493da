package import HearthDocumentModel
package import HearthQueryPlanning

/// A request for indexes, as production's errors, links and tools write them (§6.1, §6.2, §6.6).
package struct IndexRequest: Sendable, Equatable {
  /// The indexes to create: a composite index, or a single-field index beside the others of its
  /// field.
  package var definitions: [IndexDefinition] = []
  /// The indexes that must exist, as an index file defines them.
  package var file = IndexFile()
  /// The database that the text names; `nil` if it names none, or doesn't name its project.
  package var database: DatabaseID?
  /// The name of the database, if the text doesn't name its project.
  package var databaseOfAnyProject: String?

  /// Creates a request for one index.
  package init(_ definition: IndexDefinition, in database: DatabaseID? = nil) {
    definitions = [definition.normalForm]
    self.database = database
  }

  /// Reads the words of a `gcloud firestore indexes composite create` command.
  ///
  /// - Throws: `invalidArgument`, which names the unknown flag.
  package init(gcloud words: [String]) throws(DatabaseError) {
    self = try GcloudCommand(words: words).request()
  }

  /// Reads a text that was copied from elsewhere: an error or its link, the link's token, a
  /// `gcloud firestore indexes composite create` command, an index of an index file, or a whole
  /// file.
  ///
  /// - Throws: `invalidArgument`, which names the part that can't be read.
  package init(pasted text: String) throws(DatabaseError) {
    let bytes = Array(text.utf8)
    let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let first = bytes.withoutJSONComments.first(where: { !isBlank($0) }) else {
      throw .invalidArgument("There is no index in an empty text.")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      file = try IndexFile(stanza: bytes)
      guard !file.isEmpty else { throw .invalidArgument("The file has no index.") }
    } else if let command = GcloudCommand.text(in: text) {
      self = try GcloudCommand(command).request()
    } else if let link = CreationTokenReader.token(inLinkOf: text) {
      self = try CreationTokenReader.request(ofToken: link)
    } else if text.from("create_index=") != nil {
      throw .invalidArgument(
        "The link dates from before 2018, when tokens were different: copy the error again.")
    } else {
      let words = text.split { $0.isWhitespace }
      guard words.count == 1 else {
        throw .invalidArgument(
          "There is no index in the text: neither a link with create_composite= or "
            + "create_exemption=, nor a gcloud command, nor JSON.")
      }
      self = try CreationTokenReader.request(ofToken: String(words[0]))
    }
  }
}

extension String {
  /// Returns the text from the start of `part`; `nil` if the text doesn't contain `part`.
  func from(_ part: String) -> Substring? {
    firstRange(of: part).map { self[$0.lowerBound...] }
  }
}
