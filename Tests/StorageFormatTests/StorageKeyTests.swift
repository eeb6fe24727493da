import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct StorageKeyTests {
  let own = DatabaseID.default

  private func describe(_ key: [UInt8], layout: EntryLayout? = nil) -> String {
    StorageKey.describe(key.span.bytes, own: own) { _ in layout }
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The bytes on disk, pinned: a change here is a change of the format.
  @Test func keysOfTheTable() throws {
    let (collection, document) = try (ResourcePath("cities"), ResourcePath("cities/tokyo"))
    #expect(StorageKey.state == bytes("s"))
    #expect(StorageKey.identity == bytes("xd"))
    #expect(StorageKey.composite(id: 5) == bytes("xc\u{5}"))
    #expect(StorageKey.covering(compositeID: 5) == bytes("xv\u{5}"))
    #expect(StorageKey.counts(id: 5) == bytes("xk\u{5}"))
    #expect(StorageKey.checkpoint(countsID: 5) == bytes("xbk\u{5}"))
    var count: [UInt8] = []
    StorageKey.appendKeptCountPrefix(id: 5, collection: 3, to: &count)
    #expect(count == bytes("u\u{5}\u{3}"))
    #expect(try StorageKey.countsID(ofCount: count.span.bytes) == 5)
    #expect(StorageKey.override(collectionGroup: "c", field: nil) == bytes("xoc\0\0"))
    let field = try FieldPath("m.x")
    #expect(StorageKey.override(collectionGroup: "c", field: field) == bytes("xoc\0m\0x\0\0"))
    #expect(StorageKey.document(127) == bytes("d\u{7F}"))
    #expect(StorageKey.document(128) == bytes("d") + [0x81, 0x80])
    #expect(StorageKey.collection(collection) == bytes("ccities\0\0"))
    #expect(StorageKey.name(collection: 3, id: "tokyo") == bytes("n\u{3}tokyo\0"))
    #expect(
      StorageKey.groupName(collectionID: "cities", path: document)
        == bytes("gcities\0cities\0tokyo\0\0"))
    var key: [UInt8] = []
    StorageKey.appendCompositePrefix(id: 7, collection: 3, to: &key)
    StorageKey.appendCompositePrefix(id: 7, collection: nil, to: &key)
    #expect(key == bytes("i\u{7}\u{3}i\u{7}"))
    key = []
    StorageKey.appendAutomaticPrefix(collection: 3, kind: .ordered, field: field, to: &key)
    #expect(key == bytes("a\u{3}\0m\0x\0\0"))
    key = []
    StorageKey.appendGroupAutomaticPrefix(
      collectionID: "c", kind: .contains, field: field, to: &key)
    #expect(key == bytes("Ac\0\u{1}m\0x\0\0"))
  }

  /// A key for a look-up has the bytes of the stored one, at each size of the number.
  @Test func keysOfDocumentsForLookUps() {
    let powers = (0..<64 as Range<UInt64>).map { 1 &<< $0 as UInt64 }
    for number in [0, .max] + powers.flatMap({ [$0 - 1, $0, $0 + 1] }) {
      let key = DocumentKey(number)
      let bytes = key.bytes.withUnsafeBytes { Array($0) }
      #expect(bytes == StorageKey.document(number), "\(number)")
    }
  }

  /// Reads begin at keys, and at beginnings of keys.
  @Test func placesInWords() {
    func place(_ bytes: [UInt8]) -> String {
      StorageKey.describePlace(bytes.span.bytes, own: own)
    }
    #expect(place([]) == "the first key")
    #expect(place(StorageKey.document(127)) == "the key \"document 127\"")
    #expect(place(bytes("n")) == "a key among the names in collections")
    #expect(place(bytes("i\u{7}\u{3}")) == "a key among the entries of composite indexes")
    #expect(place([0xff]) == "an unknown key")
  }

  @Test func keysInWords() throws {
    let document = try ResourcePath("cities/tokyo")
    #expect(describe(StorageKey.state) == "state")
    #expect(describe(StorageKey.identity) == "identity")
    #expect(describe(StorageKey.composite(id: 500)) == "definition of index 500")
    #expect(describe(StorageKey.covering(compositeID: 5)) == "covering entries of index 5")
    #expect(
      describe(StorageKey.checkpoint(countsID: 5)) == "checkpoint of the definition of counts 5")
    var count: [UInt8] = []
    StorageKey.appendKeptCountPrefix(id: 5, collection: nil, to: &count)
    ValueEncoder(own: own).append(true, .ascending, to: &count)
    #expect(describe(count) == "count 5 of the group, \(Value.boolean(true))")
    #expect(
      describe(StorageKey.override(collectionGroup: "c", field: nil))
        == "override of group c, all fields")
    #expect(
      describe(StorageKey.override(collectionGroup: "c", field: try FieldPath("m.`x y`")))
        == "override of group c, field m.`x y`")
    #expect(describe(StorageKey.collection(document.parent)) == "collection cities")
    #expect(describe(StorageKey.name(collection: 3, id: "x")) == "name in collection 3: x")
    #expect(
      describe(StorageKey.groupName(collectionID: "cities", path: document))
        == "name in group cities: cities/tokyo")
    #expect(describe(StorageKey.document(1 << 40)) == "document 1099511627776")
  }

  @Test func entriesInWords() throws {
    var key: [UInt8] = []
    let value = Value.string("Tokio")
    let encoder = ValueEncoder(own: own)
    StorageKey.appendAutomaticPrefix(
      collection: 3, kind: .contains, field: try FieldPath("names"), to: &key)
    encoder.append(value, .ascending, to: &key)
    OrderedName.append(documentID: "tokyo", .ascending, to: &key)
    #expect(describe(key) == "entry of collection 3, names contains \(value), tokyo")

    key = []
    StorageKey.appendCompositePrefix(id: 7, collection: 3, to: &key)
    encoder.append(value, .ascending, to: &key)
    encoder.append(12, .descending, to: &key)
    OrderedName.append(documentID: "tokyo", .descending, to: &key)
    let layout = EntryLayout(
      columns: [.ascending, .descending], nameOrder: .descending, isGroup: false)
    #expect(
      describe(key, layout: layout)
        == "entry of index 7, collection 3, \(value), \(Value.integer(12)), tokyo")
    #expect(describe(key).hasPrefix("entry of index 7 <03"))
  }

  @Test func everyKeyHasADescription() {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let layout = EntryLayout(columns: [.descending], nameOrder: .ascending, isGroup: true)
    for _ in 0..<GeneratedCases.count {
      let prefix = random.pick(Array("sxcngdiaAuz".utf8))
      let rest = (0..<Int.random(in: 0...16, using: &random)).map { _ in
        random.oneIn(2)
          ? UInt8.random(in: 0...255, using: &random) : random.pick([0, 1, 0x63, 0x30])
      }
      #expect(!describe([prefix] + rest, layout: random.oneIn(2) ? layout : nil).isEmpty)
    }
    #expect(describe([]) == "<> No prefix at byte 0.")
    #expect(describe([0x7A, 0x0F]) == "<0f> No known prefix at byte 0.")
  }

  private func documentNumber(of key: [UInt8]) throws -> UInt64 {
    try StorageKey.documentNumber(of: key.span.bytes)
  }

  private func collectionPath(of key: [UInt8]) throws -> ResourcePath {
    try StorageKey.collectionPath(of: key.span.bytes)
  }

  @Test func keysAreReadBack() throws {
    let path = try ResourcePath("a/b/c")
    #expect(try collectionPath(of: StorageKey.collection(path)) == path)
    #expect(try documentNumber(of: StorageKey.document(.max)) == .max)
    let value = StorageKey.numberValue(300)
    #expect(try StorageKey.number(of: value.span.bytes) == 300)
    // The key index is read as any other index is.
    #expect(try EntryValue.read(value.span.bytes).documentNumber == 300)
    #expect(throws: CorruptBytes.self) { try documentNumber(of: StorageKey.state) }
    #expect(throws: CorruptBytes.self) { try collectionPath(of: StorageKey.document(4)) }
    #expect(throws: CorruptBytes.self) { try collectionPath(of: [0x63, 0x61, 0, 0x62, 0, 0]) }
  }

  @Test func collectionsBelowAPathShareItsPrefix() throws {
    let prefix = StorageKey.collectionsPrefix(below: try ResourcePath("a/b"))
    let range = KeyRange.prefix(prefix)
    for (path, isBelow) in [
      ("a", false), ("a/b/c", true), ("a/b/c/d/e", true), ("a/b!/c", false), ("a/ba/c", false),
      ("a!", false),
    ] {
      let key = StorageKey.collection(try ResourcePath(path))
      #expect(range.contains(key.span.bytes) == isBelow, "\(path)")
    }
  }
}
