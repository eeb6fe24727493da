import AdminSocket
package import DocumentModel
package import FirestoreJSON
import QueryPlanning

extension IndexListCall.Answer {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    composites = try members.messages("composites")
    overrides = try members.messages("overrides")
    keptCounts = try members.messages("keptCounts")
  }

  package var json: JSONValue {
    .members([
      "composites": .list(composites), "overrides": .list(overrides),
      "keptCounts": .list(keptCounts),
    ])
  }
}

extension IndexAdministration.CompositeIndex: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      definition: try members.message("definition"), state: try members.choice("state"),
      isHidden: try members.boolean("isHidden"),
      isCovering: try members.boolean("isCovering"),
      isCoveringChanging: try members.boolean("isCoveringChanging"))
  }

  package var json: JSONValue {
    .members([
      "definition": definition.json, "state": .string(state.rawValue),
      "isCovering": .boolean(isCovering), "isCoveringChanging": .boolean(isCoveringChanging),
      "isHidden": .boolean(isHidden),
    ])
  }
}

extension IndexAdministration.FieldOverride: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    var states: [SingleFieldIndex: IndexState] = [:]
    for index in try members.messages("indexes", of: IndexWithState.self) {
      states[index.index] = index.state
    }
    self.init(
      collectionGroup: try members.string("collectionGroup"),
      field: members["names"] == nil ? nil : try members.field("names"), indexes: states)
  }

  package var json: JSONValue {
    .members([
      "collectionGroup": .string(collectionGroup), "names": field.map { .list($0.names) },
      "indexes": .list(indexes.map(IndexWithState.init)),
    ])
  }

  private struct IndexWithState: AdminObject {
    let index: SingleFieldIndex
    let state: IndexState

    init(_ index: SingleFieldIndex, _ state: IndexState) {
      self.index = index
      self.state = state
    }

    init(_ json: JSONValue) throws(DatabaseError) {
      let members = try AdminMembers(json)
      index = try members.message("index")
      state = try members.choice("state")
    }

    var json: JSONValue {
      .members(["index": index.json, "state": .string(state.rawValue)])
    }
  }
}

extension IndexAdministration.KeptCounts: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      collectionGroup: try members.string("collectionGroup"),
      scope: try members.choice("queryScope"),
      fields: try members.fields("fields"),
      state: try members.choice("state"), isBeingDropped: try members.boolean("isBeingDropped"))
  }

  package var json: JSONValue {
    .members([
      "collectionGroup": .string(collectionGroup), "queryScope": .string(scope.rawValue),
      "fields": .fields(fields),
      "state": .string(state.rawValue), "isBeingDropped": .boolean(isBeingDropped),
    ])
  }
}

extension IndexAdministration.Progress: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      documentsDone: try members.integer("documentsDone"),
      documentsTotal: try members.integer("documentsTotal"))
  }

  package var json: JSONValue {
    .members(["documentsDone": .count(documentsDone), "documentsTotal": .count(documentsTotal)])
  }
}

extension IndexCreateCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    definition = try AdminMembers(json).message("definition")
  }

  package var json: JSONValue { .members(["definition": definition.json]) }
}

extension IndexDropCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    definition = try AdminMembers(json).message("definition")
  }

  package var json: JSONValue { .members(["definition": definition.json]) }
}

extension SingleFieldIndexesCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(of: try members.field("names"), in: try members.string("collectionGroup"))
  }

  package var json: JSONValue {
    .members(["collectionGroup": .string(collectionGroup), "names": .list(field.names)])
  }
}
