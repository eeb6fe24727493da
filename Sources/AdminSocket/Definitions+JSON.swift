package import DocumentModel
package import FirestoreJSON
package import QueryPlanning

extension IndexDefinition: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      try members.string("collectionGroup"), try members.messages("columns"),
      scope: try members.choice("queryScope"), vector: try members.optionalMessage("vector"))
  }

  /// The definition with all of its columns, `__name__` included, so that the reader infers none.
  package var json: JSONValue {
    .members([
      "collectionGroup": .string(collectionGroup), "queryScope": .string(scope.rawValue),
      "columns": .list(columns), "vector": vector?.json,
    ])
  }
}

extension IndexColumn: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.field("names"), try members.choice("mode"))
  }

  package var json: JSONValue {
    .members(["names": .list(field.names), "mode": .string(mode.rawValue)])
  }
}

extension VectorColumn: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.field("names"), dimension: try members.integer("dimension"))
  }

  package var json: JSONValue {
    .members(["names": .list(field.names), "dimension": .count(dimension)])
  }
}

extension SingleFieldIndex: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.choice("mode"), scope: try members.choice("queryScope"))
  }

  package var json: JSONValue {
    .members(["mode": .string(mode.rawValue), "queryScope": .string(scope.rawValue)])
  }
}

extension AdminMembers {
  /// Returns a field path from a list of its names. It is a list because a name may contain any
  /// character.
  package func field(_ name: String) throws(DatabaseError) -> FieldPath {
    try FieldPath(names: try strings(name))
  }
}

extension MissingIndex: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      index: try members.message("index"), smaller: try members.optionalMessage("smaller"),
      building: try members.messages("building"), hidden: try members.messages("hidden"))
    progress = try members.optionalFraction("progress")
  }

  package var json: JSONValue {
    .members([
      "index": index.json, "smaller": smaller?.json, "building": .list(building),
      "progress": progress.map(JSONValue.double), "hidden": .list(hidden),
    ])
  }
}

extension DocumentMessage: AdminMessage {
  package init(_ json: JSONValue) throws(DatabaseError) {
    self = try TypedJSON.document(json)
  }

  /// Appends the document in the form of Firestore's REST interface, which loses nothing (§2.1).
  package func append(to bytes: inout [UInt8]) { TypedJSON.append(self, to: &bytes) }
}
