/// A line up to the cursor: the words before, and the one that is being typed.
package struct TypedLine {
  /// The finished words, without their quotes.
  package private(set) var words: [String] = []
  /// The unfinished word, without its quotes.
  package private(set) var word = ""
  /// Whether the unfinished word is inside quotes.
  package private(set) var isQuoted = false

  package init(_ text: String) {
    var quote: Character?
    var isWord = false
    for character in text {
      switch (quote, character) {
      case (let open?, _) where character == open: quote = nil
      case (.some, _): word.append(character)
      case (nil, "'"), (nil, "\""):
        quote = character
        isWord = true
      case (nil, " "), (nil, "\t"):
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
      default:
        word.append(character)
        isWord = true
      }
    }
    isQuoted = quote != nil
    // A user may still type the tool's name in front.
    if words.first == "hearth" { words.removeFirst() }
  }
}

/// The place in a condition such as `countryCode == "JP" && population > 5`, up to the cursor.
package enum ConditionPlace: Equatable {
  private static let operators = ["in", "not-in", "array-contains", "array-contains-any"]

  /// The part of a field's name.
  case field(String)
  /// The part of a value that is compared with a field.
  case value(of: String, String)

  package init(_ text: String) {
    var (part, field) = ("", "")
    var (isValue, isText) = (false, false)
    func endWord() {
      if ConditionPlace.operators.contains(part) {
        isValue = true
      } else if !isValue, !part.isEmpty {
        field = part
      }
      part = ""
    }
    for character in text {
      switch character {
      case "\"":
        part.append(character)
        isText.toggle()
      case _ where isText: part.append(character)
      case " ", ",", "[", "]", ")": endWord()
      case "&", "|", "(":
        endWord()
        isValue = false
      case "=", "<", ">", "!":
        endWord()
        isValue = true
      default: part.append(character)
      }
    }
    self = isValue ? .value(of: field, part) : .field(part)
  }
}
