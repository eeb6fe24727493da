import HearthDocumentModel
import HearthQueryPlanning

/// Reads the token of a creation link: a serialised `google.firestore.admin.v1.Index` in base64url
/// (§6.2). `CreationToken` documents its layout.
enum CreationTokenReader {
  /// Returns the token after `create_composite=` or `create_exemption=`; `nil` if the text has
  /// none.
  static func token(inLinkOf text: String) -> String? {
    for parameter in ["create_composite=", "create_exemption="] {
      guard let rest = text.from(parameter) else { continue }
      return String(rest.dropFirst(parameter.count).prefix(while: isTokenCharacter))
    }
    return nil
  }

  private static func isTokenCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-_=%".contains(character))
  }

  static func request(ofToken text: String) throws(DatabaseError) -> IndexRequest {
    // Some programs write the padding, and escape it as in an address.
    let token = text.replacing("%3D", with: "=").prefix { $0 != "=" }
    guard !token.isEmpty, let bytes = Base64.bytes(String(token)) else {
      throw .invalidArgument("\"\(text.prefix(40))\" is no token of a creation link: is it whole?")
    }
    do throws(Failure) {
      return try request(of: bytes)
    } catch {
      switch error {
      case .unreadable:
        throw .invalidArgument(
          "The token of the link describes no index: it was cut, or changed on the way.")
      case .refused(let error): throw error
      }
    }
  }

  /// The reason that a message is no index that can be created.
  private enum Failure: Error {
    case unreadable
    case refused(DatabaseError)

    static func unsupported(_ option: String) -> Failure {
      .refused(.invalidArgument("The token asks for \(option), which is not supported."))
    }
  }

  private static func request(of bytes: [UInt8]) throws(Failure) -> IndexRequest {
    var name = ""
    var scope: QueryScope?
    var columns: [IndexColumn] = []
    var vector: VectorColumn?
    var message = ProtobufMessage(bytes)
    while let field = try next(of: &message) {
      switch (field.number, field.value) {
      case (1, .bytes(let bytes)): name = try text(bytes)
      case (2, .number(1)): scope = .collection
      case (2, .number(2)): scope = .collectionGroup
      case (2, .number(3)): throw .unsupported("the query scope COLLECTION_RECURSIVE")
      case (3, .bytes(let bytes)):
        guard vector == nil else { throw .unsupported("a field after a vector") }
        switch try column(of: bytes) {
        case .scalar(let column): columns.append(column)
        case .vector(let column): vector = column
        }
      // The state says nothing about the index to create. The other options must have their
      // defaults.
      case (4, .number), (5, .number(0)), (6, .number(0...1)), (7, .number(0)), (10, .number(0)):
        continue
      case (5, _): throw .unsupported("another apiScope than ANY_API")
      case (6, _): throw .unsupported("another density than SPARSE_ALL")
      case (7, _): throw .unsupported("the option multikey")
      case (8, _): throw .unsupported("the option shardCount")
      case (9, _): throw .unsupported("the option searchIndexOptions")
      case (10, _): throw .unsupported("the option unique")
      case (1...3, _): throw .unreadable
      default: throw .unsupported("an option with the number \(field.number)")
      }
    }
    guard let scope, !columns.isEmpty || vector != nil else { throw .unreadable }
    let (database, collectionGroup, isField) = try parts(ofName: name)
    // A composite index's name is written out. Without it, the end of the token is missing.
    guard isField ? columns.count == 1 : columns.last?.field == .documentID else {
      throw .unreadable
    }
    let index = IndexDefinition(collectionGroup, columns, scope: scope, vector: vector)
    do throws(DatabaseError) {
      if index.singleField == nil { try index.validate() }
    } catch {
      throw .refused(error)
    }
    return IndexRequest(index, in: database)
  }

  /// Reads `projects/{p}/databases/{d}/collectionGroups/{g}/…`.
  private static func parts(
    ofName name: String
  ) throws(Failure) -> (database: DatabaseID, collectionGroup: String, isField: Bool) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 8, parts[0].utf8Equal("projects"), parts[2].utf8Equal("databases"),
      parts[4].utf8Equal("collectionGroups"),
      parts[6].utf8Equal("indexes") || parts[6].utf8Equal("fields")
    else { throw .unreadable }
    do throws(DatabaseError) {
      let database = try DatabaseID(project: parts[1], database: parts[3])
      let group = try ResourcePath.validated(parts[5], isCollection: true)
      return (database, group, parts[6].utf8Equal("fields"))
    } catch {
      throw .refused(error)
    }
  }

  private enum Column {
    case scalar(IndexColumn)
    case vector(VectorColumn)
  }

  private static func column(of bytes: [UInt8]) throws(Failure) -> Column {
    var path: String?
    var mode: IndexMode?
    var dimension: Int?
    var message = ProtobufMessage(bytes)
    while let field = try next(of: &message) {
      switch (field.number, field.value) {
      case (1, .bytes(let bytes)): path = try text(bytes)
      case (2, .number(1)): mode = .ascending
      case (2, .number(2)): mode = .descending
      case (3, .number(1)): mode = .contains
      case (4, .bytes(let bytes)): dimension = try self.dimension(of: bytes)
      case (5, _): throw .unsupported("the option searchConfig of a field")
      case (1...4, _): throw .unreadable
      default: throw .unsupported("an option of a field with the number \(field.number)")
      }
    }
    guard let path else { throw .unreadable }
    let field: FieldPath
    do throws(DatabaseError) {
      field = try FieldPath(path)
    } catch {
      throw .refused(error)
    }
    switch (mode, dimension) {
    case (let mode?, nil): return .scalar(IndexColumn(field, mode))
    case (nil, let dimension?): return .vector(VectorColumn(field, dimension: dimension))
    default: throw .unreadable
    }
  }

  private static func dimension(of bytes: [UInt8]) throws(Failure) -> Int {
    var dimension: Int?
    var message = ProtobufMessage(bytes)
    while let field = try next(of: &message) {
      switch (field.number, field.value) {
      case (1, .number(let number)): dimension = Int(clamping: number)
      case (2, .bytes): continue
      default: throw .unsupported("another vector index than a flat one")
      }
    }
    guard let dimension else { throw .unreadable }
    return dimension
  }

  private static func next(
    of message: inout ProtobufMessage
  ) throws(Failure) -> ProtobufMessage.Field? {
    do {
      return try message.next()
    } catch {
      throw .unreadable
    }
  }

  private static func text(_ bytes: [UInt8]) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .unreadable }
    return text
  }
}
