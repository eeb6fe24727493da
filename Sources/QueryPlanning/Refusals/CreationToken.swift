import HearthDocumentModel

// The token of a creation link (§6.2): base64url without padding of a serialised
// `google.firestore.admin.v1.Index`.
//
//   field | tag  | content
//   ------+------+---------------------------------------------------------------------------
//   1     | 0x0A | name: {database}/collectionGroups/{group}/indexes/{id, or _ to be created},
//         |      | or .../fields/{path} for a single-field index
//   2     | 0x10 | query scope: 1 COLLECTION, 2 COLLECTION_GROUP
//   3...  | 0x1A | one message per column, `__name__` only in composites:
//   3.1   | 0x0A | field path
//   3.2   | 0x10 | order: 1 ASCENDING, 2 DESCENDING
//   3.3   | 0x18 | array config: 1 CONTAINS
enum CreationToken {
  static func text(
    for index: IndexDefinition, in database: DatabaseID, indexID: UInt64?
  ) -> String {
    let single = index.singleField
    let group = "\(database)/collectionGroups/\(index.collectionGroup)"
    let name =
      single.map { "\(group)/fields/\($0.field)" }
      ?? "\(group)/indexes/\(indexID.map { "\($0)" } ?? "_")"
    var message: [UInt8] = []
    append(tag: 0x0A, bytes: Array(name.utf8), to: &message)
    message += [0x10, index.scope == .collection ? 1 : 2]
    for column in single == nil ? index.columns[...] : index.columns.prefix(1) {
      append(tag: 0x1A, bytes: bytes(of: column), to: &message)
    }
    return Base64.text(of: message, .url)
  }

  private static func bytes(of column: IndexColumn) -> [UInt8] {
    var bytes: [UInt8] = []
    append(tag: 0x0A, bytes: Array(column.field.description.utf8), to: &bytes)
    switch column.mode {
    case .ascending: bytes += [0x10, 1]
    case .descending: bytes += [0x10, 2]
    case .contains: bytes += [0x18, 1]
    }
    return bytes
  }

  private static func append(tag: UInt8, bytes: [UInt8], to message: inout [UInt8]) {
    message.append(tag)
    var length = bytes.count
    while length >= 0x80 {
      message.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    message.append(UInt8(truncatingIfNeeded: length))
    message += bytes
  }
}
