/// The path to a field through maps: one or more field names (§1.1).
///
/// Paths are ordered name by name, by UTF-8 bytes, a shorter path first.
public struct FieldPath: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The names from the document to the field, without backticks or escapes.
  public let names: [String]

  /// The document's own name, `__name__`, as a field to filter and order by.
  public static let documentID = FieldPath(unchecked: ["__name__"])

  package init(unchecked names: [String]) {
    self.names = names
  }

  /// Creates a path from raw names, taken literally.
  ///
  /// - Throws: `invalidArgument` for no name, an empty or reserved one, or more than 1,500 bytes.
  public init(names: [String]) throws(DatabaseError) {
    guard !names.isEmpty else { throw .invalidArgument("Invalid empty property path string.") }
    if names.count == 1, names[0].utf8Equal("__name__") {
      self = .documentID
      return
    }
    for name in names {
      guard !name.isEmpty else { throw .invalidArgument("Invalid empty property path string.") }
      guard !name.isReservedName else {
        throw .invalidArgument("Invalid reserved name in field path \(name)")
      }
    }
    self.init(unchecked: names)
    guard description.utf8.count <= Limits.fieldPathByteCount else {
      throw .invalidArgument("property path is longer than \(Limits.fieldPathByteCount) bytes.")
    }
  }

  /// Reads the wire's syntax: names joined by dots, a name in backticks where it is not a plain
  /// identifier.
  ///
  /// - Throws: `invalidArgument` with production's text (§6.1).
  public init(_ text: String) throws(DatabaseError) {
    if text.isPlainFieldName, text.utf8.count <= Limits.fieldPathByteCount,
      !text.isReservedName
    {
      self.init(unchecked: [text])
      return
    }
    guard !text.isEmpty else { throw .invalidArgument("Invalid empty property path string.") }
    guard let names = FieldPathSyntax.names(of: text) else {
      throw .invalidArgument(FieldPathSyntax.refusal(of: text))
    }
    try self.init(names: names)
  }

  /// Whether the path stands for the document's own name, `__name__`.
  public var isDocumentID: Bool { names.count == 1 && names[0].utf8Equal("__name__") }

  /// Whether `self` is `ancestor` or lies below it.
  public func hasPrefix(_ ancestor: FieldPath) -> Bool {
    names.count >= ancestor.names.count
      && zip(names, ancestor.names).allSatisfy { $0.utf8Equal($1) }
  }

  package func appending(unchecked name: String) -> FieldPath {
    FieldPath(unchecked: names + [name])
  }

  /// The path in the wire's syntax, with backticks where a name needs them.
  public var description: String {
    names.map(FieldPathSyntax.quotedIfNeeded).joined(separator: ".")
  }

  /// Compares name by name, by their UTF-8 bytes (§2.3).
  public func compare(_ other: FieldPath) -> Ordering {
    for (left, right) in zip(names, other.names) {
      let order = left.utf8Compare(right)
      if order != .equal { return order }
    }
    return Ordering(names.count, other.names.count)
  }

  public static func < (left: FieldPath, right: FieldPath) -> Bool {
    left.compare(right) == .less
  }

  public static func == (left: FieldPath, right: FieldPath) -> Bool {
    guard left.names.count == right.names.count else { return false }
    for index in left.names.indices where !left.names[index].utf8Equal(right.names[index]) {
      return false
    }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    for name in names { name.utf8Hash(into: &hasher) }
  }
}

/// The text syntax of field paths (§1.1).
private enum FieldPathSyntax {
  private static let backtick = UInt8(ascii: "`")
  private static let backslash = UInt8(ascii: "\\")
  private static let dot = UInt8(ascii: ".")

  /// Returns the names in `text`; `nil` if it is malformed.
  static func names(of text: String) -> [String]? {
    let bytes = Array(text.utf8)
    var names: [String] = []
    var index = 0
    while true {
      guard let name = readName(bytes, &index) else { return nil }
      names.append(name)
      if index == bytes.count { return names }
      guard bytes[index] == dot else { return nil }
      index += 1
    }
  }

  private static func readName(_ bytes: [UInt8], _ index: inout Int) -> String? {
    guard index < bytes.count else { return nil }
    if bytes[index] == backtick { return readQuotedName(bytes, &index) }
    let start = index
    while index < bytes.count, bytes[index] != dot { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    return name.isPlainFieldName ? name : nil
  }

  private static func readQuotedName(_ bytes: [UInt8], _ index: inout Int) -> String? {
    var name: [UInt8] = []
    index += 1
    while index < bytes.count {
      var byte = bytes[index]
      if byte == backtick {
        index += 1
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
      }
      if byte == backslash {
        index += 1
        guard index < bytes.count else { return nil }
        byte = bytes[index]
      }
      name.append(byte)
      index += 1
    }
    return nil
  }

  static func quotedIfNeeded(_ name: String) -> String {
    guard !name.isPlainFieldName else { return name }
    var quoted = "`"
    for scalar in name.unicodeScalars {
      if scalar == "`" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "`"
  }

  /// Returns the refusal in production's words: the short text if `text` has brackets (§6.1).
  static func refusal(of text: String) -> String {
    if text.utf8.contains(UInt8(ascii: "[")) || text.utf8.contains(UInt8(ascii: "]")) {
      return "Invalid property path"
    }
    return "Invalid property path \"\(text)\". Unquoted property paths must match regex "
      + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
      + "(`(?:[^`\\\\]|(?:\\\\.))+`)"
  }
}

extension ByteHash {
  package mutating func combine(_ path: FieldPath) {
    for name in path.names { combine(name) }
  }
}
