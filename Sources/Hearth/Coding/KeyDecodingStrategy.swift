extension DocumentDecoder {
  /// Strategy for converting the names of stored fields to a type's coding keys.
  public enum KeyDecodingStrategy: Sendable {
    /// Names stay as they are.
    case useDefaultKeys
    /// `created_time` becomes `createdTime`. Names in dictionaries stay as they are.
    case convertFromSnakeCase
    /// A closure makes the key from the path to a stored field, whose name is the last.
    case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
  }
}

extension String {
  /// The name in camel case: `user_id` becomes `userId`. Underscores at the ends stay.
  var camelCasedFromSnake: String {
    guard let first = unicodeScalars.firstIndex(where: { $0 != "_" }),
      let last = unicodeScalars.lastIndex(where: { $0 != "_" })
    else { return self }
    let words = unicodeScalars[first...last].split(separator: "_").map { String($0) }
    guard words.count > 1 else { return self }
    let joined = words.dropFirst().reduce(words[0].lowercased()) { text, word in
      text + word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }
    let end = unicodeScalars.index(after: last)
    return String(unicodeScalars[..<first]) + joined + String(unicodeScalars[end...])
  }
}
