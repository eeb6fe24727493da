import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

/// Indexes as production's errors, links and tools write them.
@Suite struct IndexRequestTests {
  private func column(_ field: String, _ mode: IndexMode) throws -> IndexColumn {
    IndexColumn(try FieldPath(field), mode)
  }

  private func refusal(_ text: String) -> String? {
    thrown(DatabaseError.self) { _ = try IndexRequest(pasted: text) }?.message
  }

  // MARK: Tokens

  private static let todos =
    "Ckpwcm9qZWN0cy9kZW1vLXByb2plY3QvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9uR3JvdXBzL3RvZG9zL2lu"
    + "ZGV4ZXMvXx"

  /// The test vectors of §6.2.
  @Test func readsTokens() throws {
    let userID = try column("userId", .ascending)
    let rising = try column("createdTime", .ascending)
    let falling = try column("createdTime", .descending)
    let tags = try column("tags", .contains)
    let expected: [(String, IndexDefinition)] = [
      (
        Self.todos + "ABGgoKBnVzZXJJZBABGg8KC2NyZWF0ZWRUaW1lEAEaDAoIX19uYW1lX18QAQ",
        IndexDefinition("todos", [userID, rising])
      ),
      (
        Self.todos + "ABGgoKBnVzZXJJZBABGg8KC2NyZWF0ZWRUaW1lEAIaDAoIX19uYW1lX18QAg",
        IndexDefinition("todos", [userID, falling])
      ),
      (
        Self.todos + "ACGggKBHRhZ3MYARoPCgtjcmVhdGVkVGltZRABGgwKCF9fbmFtZV9fEAE",
        IndexDefinition("todos", [tags, rising], scope: .collectionGroup)
      ),
      (
        "ClBwcm9qZWN0cy9kZW1vLXByb2plY3QvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9uR3JvdXBzL3RvZG9z"
          + "L2ZpZWxkcy9wcmlvcml0eRACGgwKCHByaW9yaXR5EAE",
        IndexDefinition("todos", [try column("priority", .ascending)], scope: .collectionGroup)
      ),
    ]
    for (token, index) in expected {
      let request = try IndexRequest(pasted: token)
      #expect(request == IndexRequest(index, in: .default))
      // The link as in an error, and as mail programs may write it.
      let parameter = index.singleField == nil ? "create_composite" : "create_exemption"
      let error =
        "9 FAILED_PRECONDITION: The query requires an index. You can create it here: "
        + "https://console.firebase.google.com/v1/r/project/demo-project/firestore/indexes?"
        + "\(parameter)=\(token) .\nThe query contains range and inequality filters on multiple"
      #expect(try IndexRequest(pasted: error) == request)
      #expect(try IndexRequest(pasted: "?\(parameter)=\(token)%3D%3D&x=1") == request)
    }
  }

  /// The link of any refusal is read back as the missing index.
  @Test func readsTheLinksOfRefusals() throws {
    let database = try DatabaseID(project: "p", database: "d1")
    let quoted = try FieldPath("`a.b`.`é`")
    let indexes = [
      IndexDefinition(
        "großé", [IndexColumn(quoted, .contains), try column("b", .descending)],
        scope: .collectionGroup),
      IndexDefinition("c", [IndexColumn(.documentID, .descending)]),
      IndexDefinition("c", [try column("b", .ascending), IndexColumn(.documentID, .descending)]),
      IndexDefinition("c", [IndexColumn(quoted, .contains)]),
      IndexDefinition(
        String(repeating: "g", count: 300),
        [try column("a", .ascending), try column("b", .contains)]),
    ]
    for index in indexes {
      let link = "\(CreationLink(to: index, in: database, indexID: 7))"
      #expect(try IndexRequest(pasted: "  \(link)\n") == IndexRequest(index, in: database))
    }
  }

  /// The refusal names the part of the message that is not supported.
  @Test func refusesOtherOptionsByName() throws {
    let token = Self.todos + "ABGgoKBnVzZXJJZBABGg8KC2NyZWF0ZWRUaW1lEAEaDAoIX19uYW1lX18QAQ"
    let bytes = try #require(Base64.bytes(ofURLText: token))
    func with(_ more: [UInt8]) -> String { Base64.text(of: bytes + more, .url) }
    // States and defaults have no effect.
    for more: [UInt8] in [[0x20, 2], [0x28, 0], [0x30, 1], [0x38, 0]] {
      #expect(refusal(with(more)) == nil)
    }
    let named: [([UInt8], String)] = [
      ([0x10, 3], "the query scope COLLECTION_RECURSIVE"),
      ([0x28, 2], "another apiScope than ANY_API"), ([0x30, 3], "another density than SPARSE_ALL"),
      ([0x38, 1], "the option multikey"), ([0x40, 4], "the option shardCount"),
      ([0x4A, 0], "the option searchIndexOptions"), ([0x50, 1], "the option unique"),
      ([0x58, 1], "an option with the number 11"),
      ([0x1A, 5, 0x0A, 1, 0x61, 0x2A, 0], "the option searchConfig of a field"),
    ]
    for (more, name) in named {
      #expect(
        refusal(with(more)) == "The token asks for \(name), which is not supported.")
    }
  }

  /// Cut, changed and invented tokens are errors, and never trap.
  @Test func refusesWhatIsNoToken() throws {
    let token = Self.todos + "ABGgoKBnVzZXJJZBABGg8KC2NyZWF0ZWRUaW1lEAEaDAoIX19uYW1lX18QAQ"
    let bytes = try #require(Base64.bytes(ofURLText: token))
    for count in bytes.indices {
      let request = try? IndexRequest(pasted: Base64.text(of: Array(bytes[..<count]), .url))
      #expect(request == nil, "cut to \(count) bytes")
    }
    for seed in generatedSeeds().prefix(2000) {
      var random = SeededGenerator(seed: seed)
      var changed = bytes
      changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
        in: .min ... .max, using: &random)
      // The result is an index or an error.
      _ = try? IndexRequest(pasted: Base64.text(of: changed, .url))
    }
    let cut = "The token of the link describes no index: it was cut, or changed on the way."
    #expect(refusal("create_composite=abcd") == cut)
    #expect(refusal("cities!") == "\"cities!\" is no token of a creation link: is it whole?")
    #expect(refusal("create_composite=") == "\"\" is no token of a creation link: is it whole?")
    #expect(refusal("create_composite=!")?.contains("is it whole?") == true)
    #expect(
      refusal("https://console.firebase.google.com/…?create_index=EgV0b2Rvcw")
        == "The link dates from before 2018, when tokens were different: copy the error again.")
    #expect(refusal("")?.contains("empty") == true)
    #expect(refusal("two words")?.hasPrefix("There is no index in the text") == true)
  }

  // MARK: Commands of gcloud

  @Test func readsCommands() throws {
    let text = """
      gcloud firestore indexes composite create --collection-group=cities \\
        --query-scope=collection-group --field-config=field-path=`a b`,order=ascending \\
        --field-config array-config=contains,field-path='tags' --async --quiet \\
        --field-config="field-path=n,order=DESCENDING" --api-scope=any-api --format json
      """
    let index = IndexDefinition(
      "cities",
      [
        try column("`a b`", .ascending), try column("tags", .contains),
        try column("n", .descending),
      ], scope: .collectionGroup)
    let quoted = text.replacing("field-path=`a b`", with: "'field-path=`a b`'")
    #expect(try IndexRequest(pasted: quoted) == IndexRequest(index))
    let beta = "gcloud beta firestore --project p indexes composite create --database=d "
    #expect(
      try IndexRequest(
        pasted: beta + "--collection-group c --field-config=field-path=__name__,order=descending")
        == IndexRequest(
          IndexDefinition("c", [IndexColumn(.documentID, .descending)]),
          in: DatabaseID(project: "p", database: "d")))
  }

  /// Lines with the ends of other systems, and with comments.
  @Test func readsTheLinesOfScripts() throws {
    let lines = [
      "gcloud firestore indexes composite create \\", "  --collection-group=c \\",
      "  --field-config=field-path=a,order=ascending \\",
      "  \"--field-config=field-path=b#,\\", "order=descending\" # as a#b said: --colour",
      "echo 'done",
    ]
    let quoted = lines.map { $0.replacing("field-path=b#", with: "field-path=`b#`") }
    let expected = IndexRequest(
      IndexDefinition("c", [try column("a", .ascending), try column("`b#`", .descending)]))
    for end in ["\n", "\r\n"] {
      #expect(try IndexRequest(pasted: quoted.joined(separator: end)) == expected)
    }
  }

  @Test func keepsTheDatabaseOfACommandWithoutAProject() throws {
    let command =
      "gcloud firestore indexes composite create --collection-group=c "
      + "--field-config=field-path=a,order=ascending --field-config=field-path=b,order=ascending "
    let request = try IndexRequest(pasted: command + "--database=d")
    #expect(request.database == nil && request.databaseOfAnyProject == "d")
    #expect(try IndexRequest(pasted: command).databaseOfAnyProject == nil)
    #expect(refusal(command + "--database=a/b") != nil)
  }

  /// The text of a refused nearest-neighbour query (§6.1).
  @Test func readsTheCommandOfAVectorRefusal() throws {
    let text =
      "Missing vector index configuration. Please create the required index with the following "
      + "gcloud command: gcloud firestore indexes composite create --project=p "
      + "--collection-group=c --query-scope=COLLECTION "
      + "--field-config=order=ASCENDING,field-path=n "
      + "--field-config=vector-config='{\"dimension\":\"3\",\"flat\": \"{}\"}',field-path=emb"
    let index = IndexDefinition(
      "c", [try column("n", .ascending)],
      vector: VectorColumn(try FieldPath("emb"), dimension: 3))
    #expect(
      try IndexRequest(pasted: text) == IndexRequest(index, in: DatabaseID(project: "p")))
    // The text as the tool prints it, with more lines below.
    let more = "\n\nThe index it needs:\n  hearth index create c n:asc emb:vector=3\n"
    #expect(try IndexRequest(pasted: "Error: " + text + more) == IndexRequest(pasted: text))
  }

  @Test(arguments: [
    ("--multikey", "The command's --multikey is of the Enterprise edition: not supported."),
    ("--unique", "The command's --unique is of the Enterprise edition: not supported."),
    (
      "--density=dense",
      "The command's --density=dense is one that only other editions or interfaces have: it must "
        + "be sparse-all."
    ),
    (
      "--api-scope=datastore-mode-api",
      "The command's --api-scope=datastore-mode-api is one that only other editions or interfaces "
        + "have: it must be any-api."
    ),
    (
      "--query-scope=collection-recursive",
      "The command's --query-scope=collection-recursive is one that only Datastore has."
    ),
    ("--colour=red", "The command's --colour is not known."),
    ("--project", "The command's --project lacks its value."),
    (
      "--field-config=field-path=a..b,order=ascending",
      "Invalid property path \"a..b\". Unquoted property paths must match regex "
        + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
        + "(`(?:[^`\\\\]|(?:\\\\.))+`)"
    ),
    ("'--x", "The command has a ' without its end."),
    ("--field-config=field-path=b,order=descending", nil),
  ])
  func refusesFlags(_ flag: String, _ message: String?) {
    let command =
      "gcloud firestore indexes composite create --collection-group=c "
      + "--field-config=field-path=a,order=ascending "
      + "--field-config=field-path=c,order=ascending "
    #expect(refusal(command + flag) == message)
  }

  /// A field with two kinds of index is refused, though gcloud would take the last one.
  @Test(arguments: [
    ("field-path=b,order=ascending,order=descending", "order twice"),
    ("field-path=b,field-path=d,order=ascending", "field-path twice"),
    ("order=ascending,field-path=b,array-config=contains", "array-config beside order"),
  ])
  func refusesAFieldOfTwoKinds(_ field: String, _ words: String) {
    let command = "gcloud firestore indexes composite create --collection-group=c --field-config="
    #expect(refusal(command + field) == "The command's --field-config has \(words): \(field)")
  }

  @Test(arguments: [
    "gcloud firestore indexes composite list", "gcloud firestore indexes fields update x",
    "gcloud firestore indexes composite", "gcloud firestore indexes composite create extra",
  ])
  func refusesOtherCommands(_ command: String) {
    #expect(
      refusal(command)
        == "Of gcloud's commands only `gcloud firestore indexes composite create` is understood.")
  }

  @Test func refusesHalfCommands() {
    let name = "gcloud firestore indexes composite create "
    #expect(refusal(name + "--collection-group=c") == "The command lacks --field-config.")
    #expect(
      refusal(name + "--field-config=field-path=a,order=ascending")
        == "The command lacks --collection-group.")
    for field in ["a", "field-path=a", "order=ascending", "field-path=a,order=up"] {
      #expect(
        refusal(name + "--collection-group=c --field-config=" + field)?
          .hasPrefix("The command's --field-config is not understood: \(field).") == true)
    }
  }

  // MARK: Index files

  @Test func readsOneIndexOrOneFieldOrAllOfAFile() throws {
    let composite =
      #"{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": ["#
      + #"{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "DESCENDING"}]}"#
    let field = #"{"collectionGroup": "c", "fieldPath": "a", "indexes": []}"#
    let index = IndexDefinition("c", [try column("a", .ascending), try column("b", .descending)])
    let override = FieldIndexes(collectionGroup: "c", field: try FieldPath("a"), indexes: [])
    #expect(try IndexRequest(pasted: composite).file == IndexFile(composites: [index]))
    #expect(try IndexRequest(pasted: field).file == IndexFile(overrides: [override]))
    let both = IndexFile(composites: [index], overrides: [override])
    #expect(try IndexRequest(pasted: " [\(composite), \(field)]").file == both)
    let file = #"{"indexes": [\#(composite)], "fieldOverrides": [\#(field)]}"#
    #expect(try IndexRequest(pasted: "\n" + file).file == both)
    // Comments may precede it, and be anywhere in it.
    let explained = "/* All\n that it has. */ // {\r\n" + file.replacing("[", with: "[ // \"[\n")
    #expect(try IndexRequest(pasted: explained).file == both)
    #expect(refusal("[\(field), \(field)]") == "[1] is a second override of a in c")
    #expect(refusal("{}") == "The file has no index.")
    #expect(refusal("[1]") == "[0] must be an object")
  }
}
