import HearthDocumentModel
import HearthQueryPlanning

/// Reads an index file member by member. Its errors name the place, such as `indexes[0].fields[1]`.
struct IndexFileReader {
  private var path = MessagePath("")

  mutating func file(_ json: JSONValue) throws(DatabaseError) -> IndexFile {
    var file = IndexFile()
    for (name, value) in try members(json, ["indexes", "fieldOverrides"]) {
      path.enter(field: name)
      for (index, item) in try items(value).enumerated() {
        path.enter(item: index)
        if name == "indexes" {
          file.composites.append(try composite(item))
        } else {
          let override = try override(item)
          try check(override, beside: file.overrides)
          file.overrides.append(override)
        }
        path.leave()
      }
      path.leave()
    }
    return file
  }

  /// Reads a single index or override, a list of them, or a whole file.
  mutating func indexes(_ json: JSONValue) throws(DatabaseError) -> IndexFile {
    switch json {
    case .array(let items):
      var file = IndexFile()
      for (index, item) in items.enumerated() {
        path.enter(item: index)
        let one = try indexes(item)
        for override in one.overrides { try check(override, beside: file.overrides) }
        file.composites += one.composites
        file.overrides += one.overrides
        path.leave()
      }
      return file
    case .object(let members):
      func has(_ name: String) -> Bool { members.contains { $0.0.utf8Equal(name) } }
      if has("fields") { return IndexFile(composites: [try composite(json)]) }
      if has("fieldPath") { return IndexFile(overrides: [try override(json)]) }
      return try file(json)
    default: throw error("must be an object")
    }
  }

  /// Checks that a field has one override, and a collection group one time to live (§3.9).
  private func check(
    _ override: FieldIndexes, beside others: [FieldIndexes]
  ) throws(DatabaseError) {
    let group = override.collectionGroup
    for other in others where other.collectionGroup.utf8Equal(group) {
      guard other.field != override.field else {
        throw error("is a second override of \(override.field?.description ?? "*") in \(group)")
      }
      guard override.isTimeToLive != true || other.isTimeToLive != true else {
        throw error("is a second time to live in \(group)")
      }
    }
  }

  /// Reads a composite index. It may have the form of older files: with `collectionId`, and without
  /// a scope.
  private mutating func composite(_ json: JSONValue) throws(DatabaseError) -> IndexDefinition {
    var (group, oldGroup): (String?, String?)
    var scope = QueryScope.collection
    var fields: [JSONValue]?
    let names = [
      "collectionGroup", "queryScope", "fields", "apiScope", "density", "multikey", "unique",
      "shardCount", "collectionId",
    ]
    for (name, value) in try members(json, names) {
      path.enter(field: name)
      switch name {
      case "collectionGroup": group = try collectionID(value)
      case "collectionId": oldGroup = try collectionID(value)
      case "queryScope": scope = try queryScope(value)
      case "fields": fields = try items(value)
      case "apiScope": try expect(value, "ANY_API")
      case "density": try expect(value, "SPARSE_ALL")
      case "multikey": try expect(value, nil)
      case "shardCount": throw error("is not supported: it says how production spreads writes")
      default:
        throw error("The `unique` index configuration is not supported yet.", separator: ": ")
      }
      path.leave()
    }
    guard let group = group ?? oldGroup else { throw missing("collectionGroup") }
    guard let fields else { throw missing("fields") }
    var columns = IndexColumns()
    path.enter(field: "fields")
    for (index, field) in fields.enumerated() {
      path.enter(item: index)
      try column(field, into: &columns)
      path.leave()
    }
    path.leave()
    let index = IndexDefinition(group, columns.scalars, scope: scope, vector: columns.vector)
    do {
      try index.validate()
    } catch {
      throw self.error(quoting: error)
    }
    return index
  }

  private struct IndexColumns {
    var scalars: [IndexColumn] = []
    var vector: VectorColumn?
  }

  private mutating func column(
    _ json: JSONValue, into columns: inout IndexColumns
  ) throws(DatabaseError) {
    var field: FieldPath?
    var mode: IndexMode?
    var dimension: Int?
    let names = ["fieldPath", "order", "arrayConfig", "vectorConfig", "searchConfig", "mode"]
    for (name, value) in try members(json, names) {
      path.enter(field: name)
      switch name {
      case "fieldPath": field = try fieldPath(value)
      case "order", "arrayConfig", "mode":
        if mode != nil { throw error("stands beside another mode of the same field") }
        mode = try self.mode(value, named: name)
      case "vectorConfig": dimension = try self.dimension(value)
      default: throw error("is not supported: text search is of the Enterprise edition")
      }
      path.leave()
    }
    guard let field else { throw missing("fieldPath") }
    switch (mode, dimension) {
    case (let mode?, nil): columns.scalars.append(IndexColumn(field, mode))
    case (nil, let dimension?):
      guard columns.vector == nil else { throw error("is a second vector field") }
      columns.vector = VectorColumn(field, dimension: dimension)
      return
    case (nil, nil): throw missing("order, arrayConfig or vectorConfig")
    default: throw error("has more than one mode")
    }
    // No other field may follow a vector.
    guard columns.vector == nil else { throw error("stands after the vector field") }
  }

  private mutating func dimension(_ json: JSONValue) throws(DatabaseError) -> Int {
    var dimension: Int?
    var isFlat = false
    for (name, value) in try members(json, ["dimension", "flat"]) {
      path.enter(field: name)
      if name == "dimension" {
        guard case .integer(let number) = value, (1...2048).contains(number) else {
          throw error("must be a number from 1 to 2048")
        }
        dimension = Int(number)
      } else {
        _ = try members(value, [])
        isFlat = true
      }
      path.leave()
    }
    guard let dimension else { throw missing("dimension") }
    guard isFlat else { throw missing("flat") }
    return dimension
  }

  private mutating func override(_ json: JSONValue) throws(DatabaseError) -> FieldIndexes {
    var group: String?
    var field: FieldPath??
    var indexes: [SingleFieldIndex]?
    var isTimeToLive: Bool?
    for (name, value) in try members(json, ["collectionGroup", "fieldPath", "indexes", "ttl"]) {
      path.enter(field: name)
      switch name {
      case "collectionGroup": group = try collectionID(value)
      case "fieldPath":
        if case .string("*") = value { field = .some(nil) } else { field = try fieldPath(value) }
        guard field != .some(.documentID) else {
          throw error("is __name__, whose index is built in and can't be changed")
        }
      case "indexes":
        indexes = []
        for (index, item) in try items(value).enumerated() {
          path.enter(item: index)
          indexes?.append(try singleFieldIndex(item))
          path.leave()
        }
      default:
        guard case .boolean(let flag) = value else { throw error("must be true or false") }
        isTimeToLive = flag
      }
      path.leave()
    }
    guard let group else { throw missing("collectionGroup") }
    guard let field else { throw missing("fieldPath") }
    guard let indexes else { throw missing("indexes") }
    guard field != nil || isTimeToLive != true else {
      throw error("has a time to live, which is of one field")
    }
    return FieldIndexes(
      collectionGroup: group, field: field, indexes: indexes, isTimeToLive: isTimeToLive)
  }

  private mutating func singleFieldIndex(
    _ json: JSONValue
  ) throws(DatabaseError) -> SingleFieldIndex {
    var scope = QueryScope.collection
    var mode: IndexMode?
    for (name, value) in try members(json, ["queryScope", "order", "arrayConfig"]) {
      path.enter(field: name)
      if name == "queryScope" {
        scope = try queryScope(value)
      } else {
        if mode != nil { throw error("stands beside another mode") }
        mode = try self.mode(value, named: name)
      }
      path.leave()
    }
    guard let mode else { throw missing("order or arrayConfig") }
    return SingleFieldIndex(mode, scope: scope)
  }
}

extension IndexFileReader {
  private func mode(_ json: JSONValue, named name: String) throws(DatabaseError) -> IndexMode {
    if name == "mode" {
      // The form of older files.
      if case .string("ARRAY_CONTAINS") = json { return .contains }
      if case .string(let text) = json, text == "ASCENDING" { return .ascending }
      if case .string(let text) = json, text == "DESCENDING" { return .descending }
      throw error("must be one of ASCENDING, DESCENDING, ARRAY_CONTAINS")
    }
    let modes: [IndexMode] = name == "order" ? [.ascending, .descending] : [.contains]
    guard case .string(let text) = json,
      let mode = modes.first(where: { $0.rawValue.utf8Equal(text) })
    else {
      throw error("must be one of \(modes.map(\.rawValue).joined(separator: ", "))")
    }
    return mode
  }

  private func queryScope(_ json: JSONValue) throws(DatabaseError) -> QueryScope {
    guard case .string(let text) = json,
      let scope = QueryScope.allCases.first(where: { $0.rawValue.utf8Equal(text) })
    else {
      if case .string("COLLECTION_RECURSIVE") = json {
        throw error("is COLLECTION_RECURSIVE, which only Datastore has")
      }
      let names = QueryScope.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("must be one of \(names)")
    }
    return scope
  }

  private func collectionID(_ json: JSONValue) throws(DatabaseError) -> String {
    guard case .string(let text) = json else { throw error("must be a string") }
    do {
      return try ResourcePath.validated(text, isCollection: true)
    } catch {
      throw self.error(quoting: error)
    }
  }

  private func fieldPath(_ json: JSONValue) throws(DatabaseError) -> FieldPath {
    guard case .string(let text) = json else { throw error("must be a string") }
    do {
      return try FieldPath(text)
    } catch {
      throw self.error(quoting: error)
    }
  }

  /// Checks that an option has the only value that the standard edition supports; `nil` for
  /// `false`.
  private func expect(_ json: JSONValue, _ expected: String?) throws(DatabaseError) {
    switch (json, expected) {
    case (.string(let text), let only?) where text.utf8Equal(only): return
    case (.boolean(false), nil): return
    case (.string(let text), let only?):
      throw error("is \(text), which only other editions or interfaces have: it must be \(only)")
    case (.boolean(true), nil):
      throw error("is true, which only the Enterprise edition has: it must be false")
    default: throw error("must be \(expected ?? "false")")
    }
  }

  /// Returns the members of an object by name, and checks that each is known and occurs once.
  private func members(
    _ json: JSONValue, _ names: [String]
  ) throws(DatabaseError) -> [(String, JSONValue)] {
    guard case .object(let members) = json else { throw error("must be an object") }
    for (index, member) in members.enumerated() {
      guard names.contains(where: member.0.utf8Equal) else {
        throw error("has the unknown member \"\(member.0)\"")
      }
      guard !members[..<index].contains(where: { $0.0.utf8Equal(member.0) }) else {
        throw error("has the member \"\(member.0)\" twice")
      }
    }
    return members
  }

  private func items(_ json: JSONValue) throws(DatabaseError) -> [JSONValue] {
    guard case .array(let items) = json else { throw error("must be a list") }
    return items
  }

  private func missing(_ name: String) -> DatabaseError { error("has no \(name)") }

  private var place: String { path.text.isEmpty ? "The index file" : path.text }

  private func error(_ message: String, separator: String = " ") -> DatabaseError {
    .invalidArgument("\(place)\(separator)\(message)")
  }

  private func error(quoting error: DatabaseError) -> DatabaseError {
    self.error(error.message, separator: ": ")
  }
}
