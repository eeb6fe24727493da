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
}
