import HearthDocumentModel

/// A part of a list, as administrative calls divide it.
struct ListPage<Element> {
  let elements: [Element]
  /// The token of the next part; empty for the last one.
  let token: String

  /// - Parameters:
  ///   - all: the whole list, in the order of its keys.
  ///   - size: the number of elements; 0 for all.
  ///   - token: the token of an earlier part; empty for the first one.
  ///   - key: a key that stays, and that no two elements share.
  /// - Throws: `invalidArgument` for a negative size, and for a text that is no token.
  init<Key: Comparable & LosslessStringConvertible>(
    of all: [Element], size: Int32, after token: String, by key: (Element) -> Key
  ) throws(DatabaseError) {
    guard size >= 0 else { throw .invalidArgument("Page size must be nonnegative.") }
    var rest = all[...]
    if !token.isEmpty {
      guard let bytes = Base64.bytes(ofURLText: token),
        let last = Key(String(decoding: bytes, as: UTF8.self))
      else { throw .invalidArgument("invalid page token") }
      rest = rest.drop { key($0) <= last }
    }
    let count = size == 0 ? rest.count : Int(size)
    elements = Array(rest.prefix(count))
    guard rest.count > count, let last = elements.last else {
      self.token = ""
      return
    }
    self.token = Base64.text(of: Array("\(key(last))".utf8), .url)
  }
}
