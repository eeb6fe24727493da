import HearthDocumentModel
import HearthQueryPlanning

/// A refusal's message taken apart: the words, and the index in the link's token.
struct RefusalText {
  /// The message with `<link>` for the address up to the parameter, and `<token>` for the token.
  let template: String
  let token: DecodedToken

  init?(_ message: String) {
    guard
      let equals = message.lastRange(of: "create_composite=")
        ?? message.lastRange(of: "create_exemption=")
    else { return nil }
    let text = message[equals...].prefix { $0 != " " }
    guard let token = DecodedToken(String(text)) else { return nil }
    self.token = token
    template = message[..<equals] + "<token>" + message[text.endIndex...]
  }

  /// Returns the words that §6.1 prescribes, for the default database.
  static func template(for index: IndexDefinition, _ query: StructuredQuery) -> String {
    let link = "https://console.firebase.google.com/v1/r/project/demo-project/firestore/indexes?"
    if index.columns.count == 2, index.columns[0].field != .documentID,
      index.columns[0].mode == .contains || index.columns[0].mode == index.columns[1].mode
    {
      let mode = ["ASCENDING": "ASC", "DESCENDING": "DESC"][index.columns[0].mode.rawValue]
      return "The query requires a \(index.scope.rawValue)_\(mode ?? "CONTAINS") index for "
        + "collection \(index.collectionGroup) and field \(index.columns[0].field). You can create "
        + "it here: \(link)create_exemption=<token>"
    }
    let message =
      "The query requires an index. You can create it here: \(link)create_composite=<token>"
    let ranged = Set((query.filter?.conditions ?? []).filter(\.isInequality).map(\.field))
    guard ranged.count > 1 else { return message }
    return message + " .\nThe query contains range and inequality filters on multiple fields, "
      + "please refer to the documentation for index selection best practices: "
      + "https://cloud.google.com/firestore/docs/query-data/multiple-range-fields."
  }
}

/// A creation token read back (§6.2), independently of the code that writes it.
struct DecodedToken {
  let name: String
  let index: IndexDefinition

  init?(_ token: String) {
    guard let bytes = DecodedToken.bytes(of: token) else { return nil }
    var name: String?
    var scope: QueryScope?
    var columns: [IndexColumn] = []
    for (number, content) in DecodedToken.fields(of: bytes[...]) {
      switch (number, content) {
      case (1, .bytes(let bytes)): name = String(decoding: bytes, as: UTF8.self)
      case (2, .number(let value)): scope = value == 1 ? .collection : .collectionGroup
      case (3, .bytes(let bytes)): columns.append(DecodedToken.column(of: bytes))
      default: return nil
      }
    }
    guard let name, let scope else { return nil }
    let parts = name.split(separator: "/").map(String.init)
    // projects/p/databases/d/collectionGroups/g/indexes/_
    guard parts.count == 8, parts[4] == "collectionGroups" else { return nil }
    self.name = name
    if parts[6] == "fields", columns.count == 1, columns[0].mode == .contains {
      columns.append(IndexColumn(.documentID, .ascending))
    }
    index = IndexDefinition(parts[5], columns, scope: scope)
  }

  private enum Content {
    case number(Int)
    case bytes(ArraySlice<UInt8>)
  }

  private static func column(of bytes: ArraySlice<UInt8>) -> IndexColumn {
    var path = FieldPath.documentID
    var mode = IndexMode.ascending
    for (number, content) in fields(of: bytes) {
      switch (number, content) {
      case (1, .bytes(let bytes)): path = field(String(decoding: bytes, as: UTF8.self))
      case (2, .number(let value)): mode = value == 1 ? .ascending : .descending
      default: mode = .contains
      }
    }
    return IndexColumn(path, mode)
  }

  private static func fields(of bytes: ArraySlice<UInt8>) -> [(number: Int, content: Content)] {
    var bytes = bytes
    var fields: [(Int, Content)] = []
    func varint() -> Int {
      var value = 0
      var shift = 0
      while let byte = bytes.popFirst() {
        value |= Int(byte & 0x7F) << shift
        if byte < 0x80 { break }
        shift += 7
      }
      return value
    }
    while !bytes.isEmpty {
      let tag = varint()
      if tag & 7 == 0 {
        fields.append((tag >> 3, .number(varint())))
      } else {
        let length = varint()
        let content = bytes.prefix(length)
        bytes = bytes[content.endIndex...]
        fields.append((tag >> 3, .bytes(content)))
      }
    }
    return fields
  }

  private static func bytes(of text: String) -> [UInt8]? {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var bytes: [UInt8] = []
    var bits = 0
    var bitCount = 0
    for letter in text.utf8 {
      guard let value = letters.firstIndex(of: letter) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
    }
    return bytes
  }
}

extension String {
  /// Returns the beginning of the text after the last `mark`.
  fileprivate func lastRange(of mark: String) -> String.Index? {
    var index = endIndex
    while index > startIndex {
      index = self.index(before: index)
      if self[index...].hasPrefix(mark) { return self.index(index, offsetBy: mark.count) }
    }
    return nil
  }
}
