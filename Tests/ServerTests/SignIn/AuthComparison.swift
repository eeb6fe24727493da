import HearthDocumentModel
import HearthFirestoreJSON

/// The comparison of answers with those that were worked out, as the README of the examples has it:
/// each key that is shown is there, and the same mask is the same value.
struct AuthComparison {
  /// The values behind the masks.
  var values: [String: String] = [:]
  /// The latest credential of a provider in a request.
  var sentToken = ""

  /// Returns a request with the values in place of their masks.
  func applied(to request: JSONValue) -> JSONValue {
    request.replacingStrings { text in
      if text.hasPrefix("<unsigned JWT ") {
        let payload = text.dropFirst("<unsigned JWT ".count).dropLast()
        let header = Base64.text(of: Array(#"{"alg":"none","typ":"JWT"}"#.utf8), .url)
        return "\(header).\(Base64.text(of: Array(payload.utf8), .url))."
      }
      return values.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
  }

  /// Compares an answer with that of a step.
  mutating func differences(_ answer: JSONValue, in step: JSONValue, at place: String) -> [String] {
    let expected = step["answer"] ?? .object([])
    var differences: [String] = []
    let (status, shown) = (answer["status"]?.number, expected["status"]?.number)
    if status != shown {
      differences.append("\(place) has the status \(status ?? 0), not \(shown ?? 0)")
    }
    let body = answer["body"] ?? .object([])
    differences += self.differences(body, from: expected["body"] ?? .object([]), at: place)
    for (mask, claims) in step["claims"]?.members ?? [] {
      guard let token = values[mask], let payload = AuthComparison.payload(of: token) else {
        differences.append("\(place) has no token \(mask)")
        continue
      }
      differences += self.differences(payload, ofClaims: claims, at: "\(place) \(mask)")
    }
    for path in step["absent"]?.elements ?? [] {
      if let value = body.value(at: path.string ?? "") {
        differences.append("\(place).\(path.string ?? "") is \(value.line)")
      }
    }
    return differences
  }

  private mutating func differences(
    _ payload: JSONValue, ofClaims claims: JSONValue, at place: String
  ) -> [String] {
    var members = claims.members.filter { $0.0 != "exp" }
    let issued = payload["iat"]?.number ?? 0
    if claims["exp"]?.string == "iat+3600" {
      members.append(("exp", .integer(Int64(issued) + 3600)))
    }
    var differences = self.differences(payload, from: .object(members), at: place)
    // Nothing is left out of it.
    for (name, value) in payload["firebase"]?["identities"]?.members ?? []
    where claims["firebase"]?["identities"]?[name] == nil {
      differences.append("\(place).firebase.identities.\(name) is \(value.line)")
    }
    return differences
  }

  private static func payload(of token: String) -> JSONValue? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.bytes(String(parts[1])) else { return nil }
    return try? JSONValue(parsing: bytes)
  }

  /// Members that may be absent if they are false, or have any value.
  private static let falseOrAbsent: Set<String> = ["isNewUser", "emailVerified"]
  private static let free: Set<String> = ["kind", "errors", "status"]

  private mutating func differences(
    _ actual: JSONValue, from expected: JSONValue, at place: String
  ) -> [String] {
    switch (actual, expected) {
    case (.object, .object(let members)):
      var differences: [String] = []
      for (name, value) in members where !Self.free.contains(name) {
        guard let member = actual[name] else {
          if Self.falseOrAbsent.contains(name), value.line == "false" { continue }
          differences.append("\(place).\(name) is missing")
          continue
        }
        differences += self.differences(member, from: value, at: "\(place).\(name)")
      }
      return differences
    case (.array(let items), .array(let expectedItems)):
      return differences(items, from: expectedItems, at: place)
    case (_, .string(let mask)) where mask.hasPrefix("<") && mask.hasSuffix(">"):
      return matches(actual, mask) ? [] : ["\(place) is \(actual.line), not \(mask)"]
    default:
      return actual.line == expected.line
        ? [] : ["\(place) is \(actual.line), not \(expected.line)"]
    }
  }

  /// Each item that is shown has one like it, in any order. A password's entry may be more.
  private mutating func differences(
    _ items: [JSONValue], from expected: [JSONValue], at place: String
  ) -> [String] {
    var rest = items
    for (index, item) in expected.enumerated() {
      var first: [String]?
      var found: Int?
      for (candidate, actual) in rest.enumerated() where found == nil {
        var attempt = self
        let differences = attempt.differences(actual, from: item, at: "\(place)[\(index)]")
        if differences.isEmpty {
          self = attempt
          found = candidate
        }
        first = first ?? differences
      }
      guard let found else { return first ?? ["\(place)[\(index)] is missing"] }
      rest.remove(at: found)
    }
    return rest.filter { $0["providerId"]?.string != "password" }.map {
      "\(place) has \($0.line) besides"
    }
  }

  private mutating func matches(_ actual: JSONValue, _ mask: String) -> Bool {
    let kind = mask.dropFirst().prefix { $0 != ":" && $0 != ">" }
    let text: String
    switch (kind, actual) {
    case ("hash", .string(let text)), ("opaque", .string(let text)): return !text.isEmpty
    case ("link", .string(let text)): return text.hasPrefix("http://localhost/emulator/action?")
    case ("json", .string(let text)): return (try? JSONValue(parsing: Array(text.utf8))) != nil
    case ("number", .string(let text)): return Int64(text) != nil
    case ("as sent", .string(let text)): return text == sentToken
    case ("ms", .string(let digits)), ("s", .string(let digits)):
      guard Int64(digits) != nil else { return false }
      text = digits
    case ("msNumber", .integer(let number)), ("s", .integer(let number)): text = "\(number)"
    case ("uid", .string(let id)):
      guard id.count == 28, id.allSatisfy({ $0.isLetter || $0.isNumber }) else { return false }
      text = id
    case ("time", .string(let time)):
      guard time.hasSuffix("Z"), time.contains("T") else { return false }
      text = time
    case (_, .string(let other)): text = other
    default: return false
    }
    if let known = values[mask] { return known == text }
    values[mask] = text
    return !text.isEmpty
  }
}

extension JSONValue {
  /// The value at a path such as `users.0.email`; `nil` for none.
  fileprivate func value(at path: String) -> JSONValue? {
    var value: JSONValue? = self
    for name in path.split(separator: ".") {
      if let index = Int(name) {
        let elements = value?.elements ?? []
        value = elements.indices.contains(index) ? elements[index] : nil
      } else {
        value = value?[String(name)]
      }
    }
    return value
  }
}
