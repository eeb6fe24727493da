import DocumentModel

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

extension DocumentEncoder {
  /// Strategy for converting a type's coding keys to the names of stored fields.
  public enum KeyEncodingStrategy: Sendable {
    /// Names stay as they are.
    case useDefaultKeys
    /// `createdTime` becomes `created_time`. Names in dictionaries stay as they are.
    case convertToSnakeCase
    /// A closure makes the key from the path to a property, whose name is the last.
    case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
  }

  /// Strategy for encoding properties that are `nil`.
  public enum NilEncodingStrategy: Sendable {
    /// The property leaves no field. ``ExplicitNull`` makes an exception of a single property.
    case omit
    /// The property becomes a null.
    case null
  }
}

extension String {
  /// The name in snake case, by the rule of Foundation's coders: `userID` becomes `user_id`,
  /// `myURLText` becomes `my_url_text`.
  var snakeCased: String {
    let letters = Array(unicodeScalars)
    var boundaries: Set<Int> = []
    var index = 1
    while let upper = letters.indices.dropFirst(index).first(where: {
      letters[$0].properties.isUppercase
    }) {
      boundaries.insert(upper)
      guard
        let lower = letters.indices.dropFirst(upper).first(where: {
          letters[$0].properties.isLowercase
        })
      else { break }
      // Several capitals are one word, except the last, which begins the next word.
      boundaries.insert(Swift.max(lower - 1, upper))
      index = lower + 1
    }
    var text = ""
    for (index, letter) in letters.enumerated() {
      if boundaries.contains(index) { text += "_" }
      text += letter.properties.lowercaseMapping
    }
    return text
  }

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

/// A dictionary with string keys. Its names are data and not properties.
protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}
