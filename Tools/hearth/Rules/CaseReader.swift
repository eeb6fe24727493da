import Hearth
import HearthDocumentEngine
import HearthFirestoreJSON
import HearthSecurityRules

/// A reader of cases.
struct CaseReader {
  private let members: CaseMembers
  /// The time of cases that have none.
  private let now: Timestamp

  private init(_ members: CaseMembers, at now: Timestamp) {
    (self.members, self.now) = (members, now)
  }

  /// Returns the cases of a file, one a line. Blank lines and those that begin with `#` are
  /// skipped.
  ///
  /// - Parameter expecting: whether each must say what it expects.
  /// - Throws: ``InputError`` for the first line that is no case; ``ToolFailure`` without any.
  static func cases(in path: String, expecting: Bool) throws -> [RulesCase] {
    var lines = InputLines(try InputBytes(try ByteSource(path: path)))
    let now = SystemClock().now()
    var cases: [RulesCase] = []
    var line: [UInt8] = []
    while try lines.next(into: &line) {
      if line.first(where: { !$0.isBlank }) == UInt8(ascii: "#") { continue }
      let members = try CaseMembers(line, of: lines.source.name, line: lines.number)
      let subject = try CaseReader(members, at: now).read()
      guard subject.expectsAllowed != nil || !expecting else {
        throw members.fault("expect", "it is missing", advice: "Write allow or deny")
      }
      cases.append(subject)
    }
    guard !cases.isEmpty else { throw ToolFailure.badInput("\(lines.source.name) holds no case.") }
    return cases
  }

  /// Returns one case of a file: that of a line, or without one the only case.
  ///
  /// - Throws: ``InputError`` if there is none; ``ToolFailure`` for a line without a case.
  static func readCase(in path: String, line number: Int?) throws -> RulesCase {
    let now = SystemClock().now()
    guard let number else {
      let bytes = try InputFile(path: path).text()
      let name = path.utf8Equal("-") ? "standard input" : path
      return try CaseReader(CaseMembers(bytes, of: name, line: nil), at: now).read()
    }
    var lines = InputLines(try InputBytes(try ByteSource(path: path)))
    var line: [UInt8] = []
    while try lines.next(into: &line), lines.number <= number {
      guard lines.number == number else { continue }
      let members = try CaseMembers(line, of: lines.source.name, line: number)
      return try CaseReader(members, at: now).read()
    }
    throw ToolFailure.badInput("\(lines.source.name) has no case on line \(number).")
  }

  private func read() throws(InputError) -> RulesCase {
    guard let word = try members.text("method") else {
      throw members.fault("method", "it is missing", advice: CaseReader.methodAdvice)
    }
    guard let method = RulesMethod.allCases.first(where: { word.utf8Equal($0.rawValue) }) else {
      throw members.fault("method", "\"\(word)\" is no method", advice: CaseReader.methodAdvice)
    }
    var documents = CaseDocuments()
    for (path, fields) in try members.documents("documents") { documents.before[path] = fields }
    documents.written = try members.documents("documentsAfter")
    let (operation, place, database) = try self.operation(method, &documents)
    return RulesCase(
      name: try members.text("name") ?? "\(word) \(place)", line: members.line,
      database: database, operation: operation, auth: try auth(), time: try time(),
      documents: documents, expectsAllowed: try expectation())
  }

  private static let methodAdvice = "Write get, list, create, update or delete"

  // MARK: The request

  private func operation(
    _ method: RulesMethod, _ documents: inout CaseDocuments
  ) throws(InputError) -> (RulesOperation, place: String, database: String) {
    if method == .list { return try query() }
    try refuse(["query"], "it belongs to the method list")
    guard let text = try members.text("path") else {
      throw members.fault("path", "it is missing", advice: "Write the path of a document")
    }
    let path = try members.path(text, of: "path")
    guard path.isDocument else { throw members.noDocument(text, of: "path") }
    if let before = try members.fields("before") {
      guard documents.before.updateValue(before, forKey: path) == nil else {
        throw members.fault("before", "the document is in documents too")
      }
    }
    let standard = DatabaseID.default.database
    let before = documents.before[path]
    guard method != .get else {
      try refuse(["after", "documentsAfter"], "a read changes nothing")
      return (.get(path, document: before), text, standard)
    }
    let after = try fieldsAfter(method, isThere: before != nil)
    documents.written[path] = .some(after)
    return (.write(method, path, before: before, after: after), text, standard)
  }

  private func fieldsAfter(
    _ method: RulesMethod, isThere: Bool
  ) throws(InputError) -> MapValue? {
    if method == .delete {
      try refuse(["after"], "a deleted document has no fields")
      return nil
    }
    guard isThere == (method == .update) else {
      throw isThere
        ? members.fault("method", "the document to create exists", advice: "Write update")
        : members.fault(
          "method", "the document to update doesn't exist",
          advice: "Give its fields as before, or among the documents")
    }
    guard let after = try members.fields("after") else {
      throw members.fault(
        "after", "it is missing", advice: "Give all fields as they are after the write")
    }
    return after
  }

  /// Returns a query, or that for all documents of a collection.
  private func query() throws(InputError) -> (RulesOperation, place: String, database: String) {
    try refuse(["before", "after", "documentsAfter"], "a query is judged without results")
    let standard = DatabaseID.default.database
    guard let json = members["query"] else {
      guard let text = try members.text("path") else {
        throw members.fault("query", "it is missing", advice: "Write a query, or a path to list")
      }
      let path = try members.path(text, of: "path")
      guard path.isCollection, let id = path.lastSegment else {
        throw members.fault(
          "path", "\"\(text)\" is no collection's path",
          advice: "It has an odd number of segments, such as users")
      }
      let query = StructuredQuery(collectionID: id, below: path.parent)
      return (.list(query), text, standard)
    }
    try refuse(["path"], "the query has its own")
    let logged = try read(json)
    let query =
      switch logged.query {
      case .documents(let query): query
      case .figures(let figures): figures.query
      }
    let place = query.parent == .root ? query.collectionID : "\(query.parent)/\(query.collectionID)"
    return (.list(query), place, logged.database?.database ?? standard)
  }

  private func read(_ json: JSONValue) throws(InputError) -> LoggedQuery {
    let bytes: [UInt8] = if case .string(let text) = json { Array(text.utf8) } else { json.text }
    do {
      return try LoggedQuery(line: bytes, in: .default)
    } catch let error as QueryTextError {
      throw members.fault(
        "query", "character \(error.characterOffset + 1): \(error.message.withoutFullStop)")
    } catch {
      let message = (error as? DatabaseError)?.message ?? "\(error)"
      throw members.fault("query", message.withoutFullStop)
    }
  }

  /// Refuses members that the method has no use for.
  private func refuse(_ names: [String], _ reason: String) throws(InputError) {
    for name in names where members[name] != nil { throw members.fault(name, reason) }
  }

  // MARK: The caller and the rest

  /// Returns the user; `nil` for a caller who isn't signed in.
  private func auth() throws(InputError) -> RulesAuth? {
    guard let parts = try members.object("auth") else { return nil }
    var claims = MapValue()
    var uid: String?
    for (name, value) in parts {
      switch (name, value) {
      case ("uid", .string(let text)): uid = text
      case ("token", .object):
        guard let token = try? PlainJSON.fields(from: value.text) else { fallthrough }
        claims = token
      default:
        throw members.fault(
          "auth", "\"\(name)\" is not understood",
          advice: #"Write it as in {"uid": "alice", "token": {"admin": true}}"#)
      }
    }
    if let uid { claims.set(.string(uid), at: FieldPath(unchecked: ["sub"])) }
    return RulesAuth(claims: claims)
  }

  private func time() throws(InputError) -> Timestamp {
    guard let text = try members.text("time") else { return now }
    do throws(DatabaseError) {
      return try Timestamp(rfc3339: text)
    } catch {
      throw members.fault(
        "time", "\"\(text)\" is no time", advice: "Write it as in 2026-01-31T12:00:00Z")
    }
  }

  private func expectation() throws(InputError) -> Bool? {
    switch try members.text("expect") {
    case nil: return nil
    case "allow": return true
    case "deny": return false
    case let word?:
      throw members.fault("expect", "\"\(word)\" is no outcome", advice: "Write allow or deny")
    }
  }
}
