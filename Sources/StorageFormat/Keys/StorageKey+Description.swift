package import HearthDocumentModel

/// The layout of one composite index's entries, which their keys alone don't tell.
package struct EntryLayout: Sendable, Equatable {
  package var columns: [ColumnOrder]
  package var nameOrder: ColumnOrder
  /// Whether the name is a path, and no collection precedes the columns.
  package var isGroup: Bool

  package init(columns: [ColumnOrder], nameOrder: ColumnOrder, isGroup: Bool) {
    self.columns = columns
    self.nameOrder = nameOrder
    self.isGroup = isGroup
  }
}

extension StorageKey {
  /// Returns a description of the key for a person who looks for damage.
  ///
  /// Every key has a description: unreadable parts are shown in hexadecimal.
  ///
  /// - Parameter layout: returns the layout of the composite index with an id; `nil` if it is
  ///   unknown.
  package static func describe(
    _ key: RawSpan, own: DatabaseID, layout: (UInt64) -> EntryLayout? = { _ in nil }
  ) -> String {
    var description = KeyDescription(key, own: own)
    do throws(CorruptBytes) {
      try description.readKey(layout)
    } catch {
      description.appendRest(error.description)
    }
    return description.text
  }

  /// Returns a description of the place where a read begins. `bytes` may be a key or a part of one.
  package static func describePlace(_ bytes: RawSpan, own: DatabaseID) -> String {
    guard bytes.byteCount > 0 else { return "the first key" }
    var description = KeyDescription(bytes, own: own)
    do throws(CorruptBytes) {
      try description.readKey { _ in nil }
      return "the key \"\(description.text)\""
    } catch {
      let first = bytes.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self)
      return Prefix(rawValue: first).map { "a key among the \(name(of: $0))" } ?? "an unknown key"
    }
  }

  /// Returns a description of the keys with a prefix.
  private static func name(of prefix: Prefix) -> String {
    switch prefix {
    case .state: "states"
    case .catalog: "records of the catalogue"
    case .collection: "collections"
    case .name: "names in collections"
    case .groupName: "names in groups"
    case .document: "documents"
    case .composite: "entries of composite indexes"
    case .automatic: "entries of collections"
    case .groupAutomatic: "entries of groups"
    case .count: "kept counts"
    case .sums: "sums of entries"
    case .usage: "records of use"
    case .hot: "numbers of hot documents"
    }
  }
}

/// Reads a key and builds its description.
private struct KeyDescription: ~Escapable {
  private let key: RawSpan
  private let own: DatabaseID
  private var offset = 0
  private(set) var text = ""

  @_lifetime(copy key)
  init(_ key: RawSpan, own: DatabaseID) {
    self.key = key
    self.own = own
  }

  mutating func readKey(_ layout: (UInt64) -> EntryLayout?) throws(CorruptBytes) {
    let prefix = StorageKey.Prefix(rawValue: try readByte("prefix"))
    switch prefix {
    case .state: text = "state"
    case .catalog: try readCatalogKey()
    case .collection: text = "collection \(try readPath(.ascending))"
    case .name: text = "name in collection \(try readNumber()): \(try readID(.ascending))"
    case .groupName: text = "name in group \(try readEscaped()): \(try readPath(.ascending))"
    case .document: text = "document \(try readNumber())"
    case .composite: try readCompositeKey(layout)
    case .automatic:
      text = "entry of collection \(try readNumber()), "
      try readAutomatic()
      text += ", \(try readID(.ascending))"
    case .groupAutomatic:
      text = "entry of group \(try readEscaped()), "
      try readAutomatic()
      text += ", \(try readPath(.ascending))"
    case .count: try readCount()
    case .sums:
      let space = try StorageKey.space(ofSums: key)
      offset = key.byteCount
      text = "sums of entries, space \(space)"
    case .usage: try readUsage()
    case .hot: text = "numbers of hot documents, part \(try readNumber())"
    case nil: throw CorruptBytes("known prefix", at: 0)
    }
    if offset < key.byteCount { throw CorruptBytes("end", at: offset) }
  }

  private mutating func readCatalogKey() throws(CorruptBytes) {
    switch StorageKey.CatalogKind(rawValue: try readByte("catalogue record")) {
    case .identity: text = "identity"
    case .composite: text = "definition of index \(try readNumber())"
    case .override: try readOverride()
    case .covering: text = "covering entries of index \(try readNumber())"
    case .counts: text = "definition of counts \(try readNumber())"
    case .sums: text = "keeping of sums"
    case .hidden: text = "mark that hides index \(try readNumber())"
    case .timeToLive: text = "time to live with index \(try readNumber())"
    case .checkpoint:
      try readCatalogKey()
      text = "checkpoint of the \(text)"
    case nil: throw CorruptBytes("known catalogue record", at: 1)
    }
  }

  private mutating func readOverride() throws(CorruptBytes) {
    text = "override of group \(try readEscaped()), "
    let names = try readPath(.ascending).segments
    text += names.isEmpty ? "all fields" : "field \(FieldPath(unchecked: names))"
  }

  private mutating func readCount() throws(CorruptBytes) {
    text = "count \(try readNumber())"
    let collection = try readNumber()
    text += collection == 0 ? " of the group" : " of collection \(collection)"
    while offset < key.byteCount { text += ", \(try readValue(.ascending))" }
  }

  private mutating func readUsage() throws(CorruptBytes) {
    switch try StorageKey.indexName(ofUsage: key) {
    case nil: text = "beginning of the records of use"
    case .composite(let id)?: text = "use of index \(id)"
    case .names(let group, _)?: text = "use of the names of group \(group.string)"
    case .field(let field, _, let group, _)?:
      text = "use of an index of group \(group.string), field \(field)"
    }
    offset = key.byteCount
  }

  private mutating func readCompositeKey(
    _ layout: (UInt64) -> EntryLayout?
  ) throws(CorruptBytes) {
    let id = try readNumber()
    text = "entry of index \(id)"
    guard let layout = layout(id) else { throw CorruptBytes("definition of the index", at: 1) }
    if !layout.isGroup { text += ", collection \(try readNumber())" }
    for order in layout.columns { text += ", \(try readValue(order))" }
    let order = layout.nameOrder
    text += layout.isGroup ? ", \(try readPath(order))" : ", \(try readID(order))"
  }

  private mutating func readAutomatic() throws(CorruptBytes) {
    let kind = StorageKey.AutomaticKind(rawValue: try readByte("kind"))
    guard let kind else { throw CorruptBytes("kind", at: offset - 1) }
    let field = FieldPath(unchecked: try readPath(.ascending).segments)
    text += kind == .contains ? "\(field) contains " : "\(field) = "
    text += "\(try readValue(.ascending))"
  }

  /// Appends the unread bytes and the reason.
  mutating func appendRest(_ reason: String) {
    let digits = Array("0123456789abcdef".unicodeScalars)
    var hexadecimal = ""
    for index in offset..<key.byteCount {
      let byte = Int(key.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self))
      hexadecimal.unicodeScalars.append(digits[byte >> 4])
      hexadecimal.unicodeScalars.append(digits[byte & 15])
    }
    text += "\(text.isEmpty ? "" : " ")<\(hexadecimal)> \(reason)"
  }

  private mutating func readByte(_ what: String) throws(CorruptBytes) -> UInt8 {
    var reader = ByteReader(key, at: offset)
    let byte = try reader.readByte(what)
    offset = reader.offset
    return byte
  }

  private mutating func readNumber() throws(CorruptBytes) -> UInt64 {
    var reader = ByteReader(key, at: offset)
    let number = try reader.readOrdered("number")
    offset = reader.offset
    return number
  }

  private mutating func readValue(_ order: ColumnOrder) throws(CorruptBytes) -> Value {
    try OrderedValue.decode(from: key, at: &offset, order, own: own)
  }

  private mutating func readPath(_ order: ColumnOrder) throws(CorruptBytes) -> ResourcePath {
    try OrderedName.path(from: key, at: &offset, order)
  }

  private mutating func readID(_ order: ColumnOrder) throws(CorruptBytes) -> String {
    try OrderedName.documentID(from: key, at: &offset, order)
  }

  private mutating func readEscaped() throws(CorruptBytes) -> String {
    try readID(.ascending)
  }
}
