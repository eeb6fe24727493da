import DocumentModel

extension DocumentDecoder {
  /// How the names of stored fields become those of a type's properties.
  public enum KeyDecodingStrategy: Sendable {
    /// As the type's coding keys spell them.
    case useDefaultKeys
    /// `created_time` is `createdTime`. Names of dictionaries stay as they are.
    case convertFromSnakeCase
    /// Makes the key from the way to a stored field, whose name is the last.
    case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
  }
}

extension DocumentEncoder {
  /// How the names of a type's properties become those of stored fields.
  public enum KeyEncodingStrategy: Sendable {
    /// As the type's coding keys spell them.
    case useDefaultKeys
    /// `createdTime` becomes `created_time`. Names of dictionaries stay as they are.
    case convertToSnakeCase
    /// Makes the key from the way to a property, whose name is the last.
    case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
  }

  /// What becomes of a property that is `nil`.
  public enum NilEncodingStrategy: Sendable {
    /// It leaves no field. ``ExplicitNull`` makes an exception of a single property.
    case omit
    /// It becomes a null.
    case null
  }
}

extension String {
  /// `userID` becomes `user_id`, `myURLText` becomes `my_url_text`: the rule of Foundation's
  /// coders.
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
      // Several capitals are one word, but the last, which begins the next.
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

  /// `user_id` becomes `userId`; underscores at the ends stay.
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

/// Dictionaries with strings for keys, whose names are data and no properties.
protocol StringKeyedDictionary {}

extension Dictionary: StringKeyedDictionary where Key == String {}
