import Hearth
import HearthFirestoreJSON

/// The members of a case's JSON, read with the place of each fault.
struct CaseMembers {
  static let names = [
    "name", "method", "path", "query", "before", "after", "auth", "documents", "documentsAfter",
    "time", "typed", "expect",
  ]

  /// The name of the file, and the number of the line if each is a case.
  let file: String
  let line: Int?
  private var values: [String: JSONValue] = [:]
  /// Whether documents have the form of Firestore's REST interface.
  private(set) var isTyped = false

  /// Reads the JSON of one case.
  ///
  /// - Throws: ``InputError`` for anything but an object of known members, each once.
  init(_ bytes: [UInt8], of file: String, line: Int?) throws(InputError) {
    (self.file, self.line) = (file, line)
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw InputError(
        .malformed, in: file, line: line ?? error.line, column: error.column, error.message,
        advice: line == nil ? "Of a file with a case on each line, choose one by --line" : nil)
    }
    guard case .object(let members) = json else {
      throw InputError(.malformed, in: file, line: line, "a case is a JSON object")
    }
    for (name, value) in members {
      guard CaseMembers.names.contains(where: name.utf8Equal) else {
        throw fault(
          name, "a case has no such member",
          advice: "The members are \(CaseMembers.names.joined(separator: ", "))")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw fault(name, "it is there twice")
      }
    }
    isTyped = try boolean("typed") ?? false
  }

  /// Returns a fault of a member.
  func fault(_ name: String, _ problem: String, advice: String? = nil) -> InputError {
    InputError(.malformed, in: file, line: line, field: name, problem, advice: advice)
  }

  /// Returns a member; `nil` if it is missing or null.
  subscript(name: String) -> JSONValue? {
    if case .null? = values[name] { nil } else { values[name] }
  }

  func text(_ name: String) throws(InputError) -> String? {
    switch self[name] {
    case nil: return nil
    case .string(let text): return text
    default: throw fault(name, "this is no text", advice: "Write it in quotation marks")
    }
  }

  private func boolean(_ name: String) throws(InputError) -> Bool? {
    switch self[name] {
    case nil: return nil
    case .boolean(let value): return value
    default: throw fault(name, "this is neither true nor false")
    }
  }

  func object(_ name: String) throws(InputError) -> [(String, JSONValue)]? {
    switch self[name] {
    case nil: return nil
    case .object(let members): return members
    default: throw fault(name, "this is no object")
    }
  }

  /// Returns the fields of a document; `nil` if the member is missing or null.
  func fields(_ name: String) throws(InputError) -> MapValue? {
    guard let json = self[name] else { return nil }
    return try fields(json, of: name)
  }

  /// Returns the fields of documents by their paths; `nil` for one that doesn't exist.
  func documents(_ name: String) throws(InputError) -> [ResourcePath: MapValue?] {
    var documents: [ResourcePath: MapValue?] = [:]
    for (text, json) in try object(name) ?? [] {
      let path = try path(text, of: name)
      guard path.isDocument else { throw noDocument(text, of: name) }
      if case .null = json {
        documents[path] = .some(nil)
      } else {
        documents[path] = try fields(json, of: "\(name).\(text)")
      }
    }
    return documents
  }

  func path(_ text: String, of name: String) throws(InputError) -> ResourcePath {
    do throws(DatabaseError) {
      return try ResourcePath(text)
    } catch {
      throw fault(name, error.message.withoutFullStop)
    }
  }

  func noDocument(_ text: String, of name: String) -> InputError {
    fault(
      name, "\"\(text)\" is no document's path",
      advice: "It has an even number of segments, such as users/alice")
  }

  private func fields(_ json: JSONValue, of name: String) throws(InputError) -> MapValue {
    do {
      return try isTyped ? TypedJSON.fields(from: json.text) : PlainJSON.fields(from: json.text)
    } catch let error as DatabaseError {
      throw fault(name, error.message.withoutFullStop)
    } catch {
      throw fault(name, "this is no object of fields")
    }
  }
}
