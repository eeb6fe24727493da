import HearthDocumentModel
import HearthFirestoreJSON

/// A value in a configuration file. Its errors name the file, the place, and what to write there.
struct ConfiguredValue {
  let json: JSONValue
  /// The path of the file.
  let file: String
  /// The place, such as `providers["apple.com"].audiences[0]`; empty for the whole file.
  let place: String

  /// Returns the members by their names.
  ///
  /// - Parameter known: the names that members may have.
  /// - Throws: `invalidArgument` for another value, another name, and a name that comes twice.
  func members(_ known: [String]) throws(DatabaseError) -> [String: ConfiguredValue] {
    let list = known.joined(separator: ", ")
    var members: [String: ConfiguredValue] = [:]
    for (name, value) in try entries(of: "an object with members of \(list)") {
      guard known.contains(name) else {
        throw error("has the unknown member \"\(name)\": those that there are are \(list)")
      }
      members[name] = value.under(place.isEmpty ? name : "\(place).\(name)")
    }
    return members
  }

  /// Returns the members in the order of the text, by any names.
  ///
  /// - Parameter example: the description of a value that is right.
  /// - Throws: `invalidArgument` for another value, and a name that comes twice.
  func entries(
    of example: String
  ) throws(DatabaseError) -> [(name: String, value: ConfiguredValue)] {
    guard case .object(let members) = json else { throw wrong(example) }
    var names: Set<String> = []
    var entries: [(name: String, value: ConfiguredValue)] = []
    for (name, value) in members {
      guard names.insert(name).inserted else {
        throw error("has the member \"\(name)\" twice: remove one")
      }
      entries.append(
        (name, ConfiguredValue(json: value, file: file, place: "\(place)[\"\(name)\"]")))
    }
    return entries
  }

  /// - Throws: `invalidArgument` for another value than `true` and `false`.
  func flag() throws(DatabaseError) -> Bool {
    guard case .boolean(let flag) = json else { throw wrong("true or false") }
    return flag
  }

  /// - Throws: `invalidArgument` for another value than a whole number in the range.
  func number(in range: ClosedRange<Int64>) throws(DatabaseError) -> Int {
    guard case .integer(let number) = json, range.contains(number) else {
      throw wrong("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }

  /// - Throws: `invalidArgument` for another value than a text that isn't empty.
  func text(_ example: String) throws(DatabaseError) -> String {
    guard case .string(let text) = json, !text.isEmpty else { throw wrong(example) }
    return text
  }

  /// Returns the elements of a list.
  ///
  /// - Throws: `invalidArgument` for another value.
  func elements(_ example: String) throws(DatabaseError) -> [ConfiguredValue] {
    guard case .array(let elements) = json else { throw wrong(example) }
    return elements.enumerated().map { index, element in
      ConfiguredValue(json: element, file: file, place: "\(place)[\(index)]")
    }
  }

  /// Returns a list of texts, none of them empty.
  ///
  /// - Throws: `invalidArgument` for another value.
  func texts(_ example: String) throws(DatabaseError) -> [String] {
    var texts: [String] = []
    for element in try elements(example) { texts.append(try element.text("a text")) }
    return texts
  }

  /// Returns the error of a value that can't be used as it is.
  ///
  /// - Parameter right: the description of a value that is right.
  func wrong(_ right: String) -> DatabaseError { error("is \(shown): write \(right)") }

  func error(_ text: String) -> DatabaseError {
    .invalidArgument("\(file): \(place.isEmpty ? "the file" : place) \(text).")
  }

  private func under(_ place: String) -> ConfiguredValue {
    ConfiguredValue(json: json, file: file, place: place)
  }

  private var shown: String {
    switch json {
    case .object: "an object"
    case .array: "a list"
    default: String(decoding: json.text, as: UTF8.self)
    }
  }
}
