import HearthFirestoreJSON

/// The values behind the masks of an exchange: times, tokens and ids, which no replay has the same.
struct MaskedValues {
  private var values: [String: String] = [:]
  /// The time of the commit that wrote the documents of the start.
  var setupTime: String?
  /// The latest time of a commit so far.
  private var latestTime = ""

  /// Returns a request with the values in place of their masks. A time that no answer had is that
  /// of the start.
  mutating func applied(to request: JSONValue) -> JSONValue {
    var values = values
    defer { self.values = values }
    return request.replacingStrings { text in
      if text.hasPrefix("<time:"), values[text] == nil { values[text] = setupTime }
      return values.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
  }

  /// Compares an answer with the recorded one. Masks are bound where they first come.
  ///
  /// - Returns: the differences, each with its place.
  mutating func differences(
    _ actual: JSONValue, from expected: JSONValue, at place: String = ""
  ) -> [String] {
    switch (actual, expected) {
    case (_, .string("<any>")): return []
    case (.object(let members), .object(let expectedMembers)):
      var differences: [String] = []
      for (name, value) in expectedMembers {
        guard let member = members.first(where: { $0.0 == name }) else {
          differences.append("\(place).\(name) is missing")
          continue
        }
        differences += self.differences(member.1, from: value, at: "\(place).\(name)")
      }
      for (name, value) in members where !expectedMembers.contains(where: { $0.0 == name }) {
        differences.append("\(place).\(name) is \(value.line), and was not recorded")
      }
      return differences
    case (.array(let items), .array(let expectedItems)) where items.count == expectedItems.count:
      var differences: [String] = []
      for (index, (item, expected)) in zip(items, expectedItems).enumerated() {
        differences += self.differences(item, from: expected, at: "\(place)[\(index)]")
      }
      return differences
    case (.string(let text), .string(let expected)):
      return matches(text, expected, at: place)
        ? [] : ["\(place) is \"\(text)\", not \"\(expected)\""]
    default:
      guard actual.line != expected.line else { return [] }
      return ["\(place) is \(actual.line), not \(expected.line)"]
    }
  }

  private mutating func matches(_ text: String, _ expected: String, at place: String) -> Bool {
    if expected.hasSuffix("<any>") { return text.hasPrefix(expected.dropLast(5)) }
    var text = text[...]
    var rest = expected[...]
    while let mask = rest.firstMatch(of: /<[A-Za-z]+:[0-9]+>/) {
      let before = rest[..<mask.range.lowerBound]
      guard text.hasPrefix(before) else { return false }
      text = text.dropFirst(before.count)
      rest = rest[mask.range.upperBound...]
      // The value ends where the recording goes on.
      let next = rest.prefix { $0 != "<" }
      let end = next.isEmpty ? text.endIndex : text.firstRange(of: next)?.lowerBound
      guard let end, binds(String(mask.output), String(text[..<end]), at: place) else {
        return false
      }
      text = text[end...]
    }
    return text == rest
  }

  private mutating func binds(_ mask: String, _ value: String, at place: String) -> Bool {
    if mask.hasPrefix("<time:") {
      // A read may show any moment from the last commit on.
      if place.hasSuffix(".readTime") {
        if let known = values[mask], known == value { return true }
        values[mask] = values[mask] ?? value
        return value >= latestTime
      }
      latestTime = max(latestTime, value)
    }
    if mask.hasPrefix("<pageToken:") { return !value.isEmpty && bind(mask, value) }
    if let known = values[mask] { return known == value }
    return bind(mask, value)
  }

  private mutating func bind(_ mask: String, _ value: String) -> Bool {
    values[mask] = value
    return true
  }
}
