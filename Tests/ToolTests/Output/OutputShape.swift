import Foundation

/// The shape of a JSON value, as the page of shapes has it: `{"path": string, "size"?: integer}`.
indirect enum OutputShape {
  case word(String)
  case array(OutputShape)
  case object([Member])
  case either([OutputShape])

  struct Member {
    let name: String
    let isOptional: Bool
    let shape: OutputShape
  }

  struct SyntaxError: Error { let rest: String }

  init(_ text: String) throws {
    var rest = Substring(text)
    self = try Self.alternatives(&rest)
    guard rest.allSatisfy(\.isWhitespace) else { throw SyntaxError(rest: String(rest)) }
  }

  private static func alternatives(_ rest: inout Substring) throws -> OutputShape {
    var shapes = [try single(&rest)]
    while take("|", &rest) { shapes.append(try single(&rest)) }
    return shapes.count == 1 ? shapes[0] : .either(shapes)
  }

  private static func single(_ rest: inout Substring) throws -> OutputShape {
    if take("[", &rest) {
      let element = try alternatives(&rest)
      guard take("]", &rest) else { throw SyntaxError(rest: String(rest)) }
      return .array(element)
    }
    guard take("{", &rest) else {
      let word = rest.prefix { $0.isLetter }
      guard !word.isEmpty else { throw SyntaxError(rest: String(rest)) }
      rest.removeFirst(word.count)
      return .word(String(word))
    }
    var members: [Member] = []
    while take("\"", &rest) {
      let name = rest.prefix { $0 != "\"" }
      rest.removeFirst(name.count + 1)
      let isOptional = take("?", &rest)
      guard take(":", &rest) else { throw SyntaxError(rest: String(rest)) }
      members.append(
        Member(name: String(name), isOptional: isOptional, shape: try alternatives(&rest)))
      guard take(",", &rest) else { break }
    }
    guard take("}", &rest) else { throw SyntaxError(rest: String(rest)) }
    return .object(members)
  }

  private static func take(_ text: String, _ rest: inout Substring) -> Bool {
    rest = rest.drop(while: \.isWhitespace)
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }
}

extension OutputShape {
  /// Whether `json`, a value of `JSONSerialization`, has the shape.
  ///
  /// - Parameter named: the shapes that words stand for.
  func matches(_ json: Any, _ named: [String: OutputShape]) -> Bool {
    switch self {
    case .either(let shapes): return shapes.contains { $0.matches(json, named) }
    case .array(let element):
      return (json as? [Any])?.allSatisfy { element.matches($0, named) } ?? false
    case .object(let members):
      guard let object = json as? [String: Any] else { return false }
      let isKnown = object.keys.allSatisfy { key in members.contains { $0.name == key } }
      return isKnown
        && members.allSatisfy { member in
          guard let value = object[member.name] else { return member.isOptional }
          return member.shape.matches(value, named)
        }
    case .word(let word):
      if let shape = named[word] { return shape.matches(json, named) }
      return OutputShape.matches(json, word: word)
    }
  }

  private static func matches(_ json: Any, word: String) -> Bool {
    let number = json as? NSNumber
    let isBoolean = number.map { NumberKind.isBoolean($0) } ?? false
    switch word {
    case "any": return true
    case "null": return json is NSNull
    case "string": return json is String
    case "time":
      return (json as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT[0-9:.]+Z/) != nil
    case "boolean": return isBoolean
    case "integer":
      return !isBoolean && number.map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "number": return number != nil && !isBoolean
    case "object": return json is [String: Any]
    default: return false
    }
  }
}

/// The difference that `JSONSerialization` makes between numbers and booleans.
private enum NumberKind {
  static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }
}
