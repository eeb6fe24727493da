import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning
import Testing

@Suite struct IndexFileTests {
  private func refusal(_ json: String) -> String? {
    thrown(DatabaseError.self) { _ = try IndexFile(json: Array(json.utf8)) }?.message
  }

  @Test func readsAFile() throws {
    let file = try IndexFile(
      json: Array(
        """
        {"indexes": [
          {"collectionGroup": "todos", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "userId", "order": "ASCENDING"},
            {"fieldPath": "tags", "arrayConfig": "CONTAINS"}],
           "apiScope": "ANY_API", "density": "SPARSE_ALL", "multikey": false},
          {"collectionGroup": "todos", "queryScope": "COLLECTION_GROUP", "fields": [
            {"fieldPath": "n", "order": "DESCENDING"},
            {"fieldPath": "__name__", "order": "DESCENDING"},
            {"fieldPath": "emb", "vectorConfig": {"dimension": 3, "flat": {}}}]},
          {"collectionGroup": "todos", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "__name__", "order": "DESCENDING"}]}],
         "fieldOverrides": [
          {"collectionGroup": "todos", "fieldPath": "body", "ttl": false, "indexes": [
            {"order": "ASCENDING"}, {"queryScope": "COLLECTION_GROUP", "arrayConfig": "CONTAINS"}]},
          {"collectionGroup": "todos", "fieldPath": "*", "indexes": []},
          {"collectionGroup": "todos", "fieldPath": "`*`", "indexes": []}]}
        """.utf8))
    let (body, star) = (try FieldPath("body"), try FieldPath("`*`"))
    #expect(
      file.composites == [
        IndexDefinition(
          "todos",
          [
            IndexColumn(try FieldPath("userId"), .ascending),
            IndexColumn(try FieldPath("tags"), .contains),
          ]),
        IndexDefinition(
          "todos", [IndexColumn(try FieldPath("n"), .descending)], scope: .collectionGroup,
          vector: VectorColumn(try FieldPath("emb"), dimension: 3)),
        IndexDefinition("todos", [IndexColumn(.documentID, .descending)]),
      ])
    let bodyIndexes = [
      SingleFieldIndex(.ascending), SingleFieldIndex(.contains, scope: .collectionGroup),
    ]
    #expect(
      file.overrides == [
        FieldIndexes(
          collectionGroup: "todos", field: body, indexes: bodyIndexes, isTimeToLive: false),
        FieldIndexes(collectionGroup: "todos", field: nil, indexes: []),
        FieldIndexes(collectionGroup: "todos", field: star, indexes: []),
      ])
    let set = file.indexSet
    #expect(set.composites.map(\.definition) == file.composites)
    #expect(set.composites.allSatisfy { $0.state == .ready })
    #expect(set.state(of: bodyIndexes[1], field: body, in: "todos") == .ready)
    #expect(set.state(of: SingleFieldIndex(.descending), field: body, in: "todos") == nil)
    #expect(set.state(of: SingleFieldIndex(.ascending), field: star, in: "todos") == nil)
    #expect(try IndexFile(json: Array("{}".utf8)) == IndexFile())
  }

  /// The text written for an index is read back as that index.
  @Test func readsWhatIsWritten() throws {
    let n = try FieldPath("n")
    let vector = VectorColumn(try FieldPath("emb"), dimension: 3)
    let indexes = [
      IndexDefinition("c", [IndexColumn(n, .ascending), IndexColumn(.documentID, .descending)]),
      IndexDefinition("c", [IndexColumn(n, .descending)], scope: .collectionGroup, vector: vector),
      IndexDefinition("c", [], vector: vector),
      IndexDefinition("c", [IndexColumn(.documentID, .descending)]),
    ]
    for index in indexes {
      let text = IndexStanza.text(for: index)
      #expect(try IndexFile(json: Array(text.utf8)).composites == [index], "\(text)")
    }
    let single = IndexDefinition("c", [IndexColumn(n, .ascending)], scope: .collectionGroup)
    let file = try IndexFile(json: Array(IndexStanza.text(for: single).utf8))
    let added = SingleFieldIndex(.ascending, scope: .collectionGroup)
    #expect(
      file.overrides == [
        FieldIndexes(
          collectionGroup: "c", field: n, indexes: SingleFieldIndex.defaults + [added])
      ])
  }

  /// The file has the form of the Firebase tool's (§6.5); read again, it is the same file.
  @Test func writesAFile() throws {
    let n = try FieldPath("n")
    let star = try FieldPath("`*`")
    let file = IndexFile(
      composites: [
        IndexDefinition("c", [IndexColumn(n, .descending), IndexColumn(star, .contains)]),
        IndexDefinition(
          "c", [], scope: .collectionGroup,
          vector: VectorColumn(try FieldPath("emb"), dimension: 3)),
      ],
      overrides: [
        FieldIndexes(
          collectionGroup: "c", field: n,
          indexes: [
            SingleFieldIndex(.ascending), SingleFieldIndex(.contains, scope: .collectionGroup),
          ], isTimeToLive: true),
        FieldIndexes(collectionGroup: "c", field: nil, indexes: [], isTimeToLive: false),
        FieldIndexes(collectionGroup: "c", field: star, indexes: []),
      ])
    #expect(try IndexFile(json: Array(file.json.utf8)) == file)
    let text = file.json.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    #expect(
      text == """
        {"indexes": [{"collectionGroup": "c","queryScope": "COLLECTION","fields": [\
        {"fieldPath": "n","order": "DESCENDING"},{"fieldPath": "`*`","arrayConfig": "CONTAINS"},\
        {"fieldPath": "__name__","order": "DESCENDING"}],"density": "SPARSE_ALL"},\
        {"collectionGroup": "c","queryScope": "COLLECTION_GROUP","fields": [\
        {"fieldPath": "__name__","order": "ASCENDING"},\
        {"fieldPath": "emb","vectorConfig": {"dimension": 3,"flat": {}}}],\
        "density": "SPARSE_ALL"}],"fieldOverrides": [\
        {"collectionGroup": "c","fieldPath": "n","ttl": true,"indexes": [\
        {"order": "ASCENDING","queryScope": "COLLECTION"},\
        {"arrayConfig": "CONTAINS","queryScope": "COLLECTION_GROUP"}]},\
        {"collectionGroup": "c","fieldPath": "*","ttl": false,"indexes": []},\
        {"collectionGroup": "c","fieldPath": "`*`","indexes": []}]}
        """)
    #expect(file.json.hasPrefix("{\n  \"indexes\": [\n    {\n      \"collectionGroup\": \"c\""))
    #expect(IndexFile().json == "{\n  \"indexes\": [],\n  \"fieldOverrides\": []\n}")
  }

  /// Files of older tools (§6.3).
  @Test func readsOldFiles() throws {
    let text =
      #"{"indexes": [{"collectionId": "c", "fields": [{"fieldPath": "n", "mode": "DESCENDING"}, "#
      + #"{"fieldPath": "t", "mode": "ARRAY_CONTAINS"}]}]}"#
    let columns = [
      IndexColumn(try FieldPath("n"), .descending), IndexColumn(try FieldPath("t"), .contains),
    ]
    let index = IndexDefinition("c", columns)
    #expect(try IndexFile(json: Array(text.utf8)).composites == [index])
  }

  @Test(arguments: [
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": []}, "#
        + #"{"collectionGroup": "c", "fieldPath": "a", "indexes": []}]}"#,
      "fieldOverrides[1] is a second override of a in c"
    ),
    ("[]", "The index file must be an object"),
    ("{\"indexes\": {}}", "indexes must be a list"),
    ("{\"index\": []}", "The index file has the unknown member \"index\""),
    ("{\"indexes\": [], \"indexes\": []}", "The index file has the member \"indexes\" twice"),
    ("{\"indexes\": [{}]}", "indexes[0] has no collectionGroup"),
    (
      #"{"indexes": [{"collectionGroup": "c", "queryScope": "ALL"}]}"#,
      "indexes[0].queryScope must be one of COLLECTION, COLLECTION_GROUP"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": "#
        + #"[{"fieldPath": "a", "order": "UP"}]}]}"#,
      "indexes[0].fields[0].order must be one of ASCENDING, DESCENDING"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": "#
        + #"[{"fieldPath": "a", "order": "ASCENDING"}]}]}"#,
      "indexes[0]: this index is not necessary, configure using single field index controls"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "unique": true}]}"#,
      "indexes[0].unique: The `unique` index configuration is not supported yet."
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "density": "DENSE"}]}"#,
      "indexes[0].density is DENSE, which only other editions or interfaces have: it must be "
        + "SPARSE_ALL"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "apiScope": "MONGODB_COMPATIBLE_API"}]}"#,
      "indexes[0].apiScope is MONGODB_COMPATIBLE_API, which only other editions or interfaces "
        + "have: it must be ANY_API"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "multikey": true}]}"#,
      "indexes[0].multikey is true, which only the Enterprise edition has: it must be false"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "shardCount": 3}]}"#,
      "indexes[0].shardCount is not supported: it says how production spreads writes"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION_RECURSIVE"}]}"#,
      "indexes[0].queryScope is COLLECTION_RECURSIVE, which only Datastore has"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "fields": [{"searchConfig": {}}]}]}"#,
      "indexes[0].fields[0].searchConfig is not supported: text search is of the Enterprise "
        + "edition"
    ),
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "__name__", "indexes": []}]}"#,
      "fieldOverrides[0].fieldPath is __name__, whose index is built in and can't be changed"
    ),
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "*", "indexes": [], "#
        + #""ttl": true}]}"#,
      "fieldOverrides[0] has a time to live, which is of one field"
    ),
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": [], "#
        + #""ttl": true}, {"collectionGroup": "c", "fieldPath": "b", "indexes": [], "#
        + #""ttl": true}]}"#,
      "fieldOverrides[1] is a second time to live in c"
    ),
    (
      #"{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": "#
        + #"[{"fieldPath": "e", "vectorConfig": {"dimension": 3}}]}]}"#,
      "indexes[0].fields[0].vectorConfig has no flat"
    ),
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a..b"}]}"#,
      "fieldOverrides[0].fieldPath: Invalid property path \"a..b\". Unquoted property paths must "
        + "match regex ([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
        + "(`(?:[^`\\\\]|(?:\\\\.))+`)"
    ),
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a"}]}"#,
      "fieldOverrides[0] has no indexes"
    ),
    ("{\n  oops}", "line 2, column 3: expected a name in double quotes, found \"o\""),
  ])
  func refuses(_ json: String, _ message: String) {
    #expect(refusal(json) == message)
  }
}
