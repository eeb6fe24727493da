package import DocumentModel
package import FirestoreJSON
package import QueryPlanning

extension PlanNode: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.choice("kind"), try members.string("title"))
    scan = try members.optionalMessage("scan")
    orders = try members.messages("orders")
    ranges = try members.list("ranges") { json throws(DatabaseError) in
      guard case .array(let texts) = json else { throw members.invalid("ranges") }
      return texts.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    start = try members.optionalString("start")
    end = try members.optionalString("end")
    offset = try members.integer("offset")
    limit = try members.optionalInteger("limit")
    children = try members.messages("children")
    work = try members.optionalMessage("work")
  }

  package var json: JSONValue {
    .members([
      "kind": .string(kind.rawValue), "title": .string(title), "scan": scan?.json,
      "orders": .list(orders), "ranges": .array(ranges.map { .list($0) }),
      "start": start.map(JSONValue.string), "end": end.map(JSONValue.string),
      "offset": .count(offset), "limit": limit.map(JSONValue.count),
      "children": .list(children), "work": work?.json,
    ])
  }
}

extension PlanNode.Scan: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      source: try members.string("source"), index: try members.message("index"),
      conditions: try members.strings("conditions"), extent: try members.string("extent"))
  }

  package var json: JSONValue {
    .members([
      "source": .string(source), "index": index.json, "conditions": .list(conditions),
      "extent": .string(extent),
    ])
  }
}

extension PlanNode.Work: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      entriesRead: try members.integer("entriesRead"),
      seekCount: try members.integer("seekCount"))
  }

  package var json: JSONValue {
    .members(["entriesRead": .count(entriesRead), "seekCount": .count(seekCount)])
  }
}

extension Order: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      try members.field("names"),
      try members.boolean("isDescending") ? .descending : .ascending)
  }

  package var json: JSONValue {
    .members([
      "names": .list(field.names), "isDescending": .boolean(direction == .descending),
    ])
  }
}
