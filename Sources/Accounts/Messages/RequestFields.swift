import HearthFirestoreJSON

/// The fields of a request, by their names in camel case.
///
/// They are read as leniently as production does (A§1.3): names in snake case mean the same,
/// numbers are texts where a text is wanted, and the other way round. An empty text is as good as
/// none.
struct RequestFields: Sendable {
  private let values: [String: JSONValue]

  init(_ members: [(String, JSONValue)]) {
    var values: [String: JSONValue] = [:]
    for (name, value) in members {
      if case .null = value { continue }
      values[RequestFields.camelCased(name)] = value
    }
    self.values = values
  }

  private static func camelCased(_ name: String) -> String {
    guard name.contains("_") else { return name }
    let words = name.split(separator: "_")
    guard let first = words.first else { return name }
    return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// Whether the request has a field, even an empty one.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of a field as it came; `nil` for none.
  subscript(name: String) -> JSONValue? { values[name] }

  /// Returns a text; `nil` for none, and for an empty one.
  func text(_ name: String) throws(AccountError) -> String? {
    guard let value = values[name] else { return nil }
    let text = try RequestFields.text(value, of: name)
    return text.isEmpty ? nil : text
  }

  /// Returns a number; `nil` for none.
  func integer(_ name: String) throws(AccountError) -> Int64? {
    switch values[name] {
    case nil: return nil
    case .integer(let number): return number
    case .double(let number):
      if let whole = Int64(exactly: number) { return whole }
    case .string(let text):
      if text.isEmpty { return nil }
      if let number = Int64(text) { return number }
    default: break
    }
    throw RequestFields.invalid(name, "TYPE_INT64")
  }

  /// Returns a flag; `nil` for none.
  func flag(_ name: String) throws(AccountError) -> Bool? {
    switch values[name] {
    case nil: return nil
    case .boolean(let flag): return flag
    case .string("true"): return true
    case .string("false"), .string(""): return false
    default: throw RequestFields.invalid(name, "TYPE_BOOL")
    }
  }

  /// Returns the texts of a list; none for no list. A single text is a list of one.
  func texts(_ name: String) throws(AccountError) -> [String] {
    guard let value = values[name] else { return [] }
    guard case .array(let elements) = value else {
      return [try RequestFields.text(value, of: name)]
    }
    var texts: [String] = []
    for element in elements { texts.append(try RequestFields.text(element, of: name)) }
    return texts
  }

  /// Returns the messages of a list; none for no list.
  func messages(_ name: String) throws(AccountError) -> [RequestFields] {
    guard let value = values[name] else { return [] }
    guard case .array(let elements) = value else { throw RequestFields.invalid(name, "message") }
    var messages: [RequestFields] = []
    for element in elements {
      guard case .object(let members) = element else {
        throw RequestFields.invalid(name, "message")
      }
      messages.append(RequestFields(members))
    }
    return messages
  }

  /// Returns the message in a field; `nil` for none.
  func message(_ name: String) throws(AccountError) -> RequestFields? {
    guard let value = values[name] else { return nil }
    guard case .object(let members) = value else { throw RequestFields.invalid(name, "message") }
    return RequestFields(members)
  }

  private static func text(_ value: JSONValue, of name: String) throws(AccountError) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    default: throw invalid(name, "TYPE_STRING")
    }
  }

  private static func invalid(_ name: String, _ type: String) -> AccountError {
    AccountError(status: 400, "Invalid value at '\(name)' (\(type))", codeName: "INVALID_ARGUMENT")
  }
}
