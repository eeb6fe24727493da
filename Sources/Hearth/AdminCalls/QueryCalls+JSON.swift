import AdminSocket
package import DocumentModel
package import FirestoreJSON
import QueryPlanning

extension RunnableQuery: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    let parent = try ResourcePath(segmentsOrRoot: try members.strings("parent"))
    query = try TypedJSON.query(try members.value("query"), below: parent)
    isReversed = try members.boolean("isReversed")
  }

  package var json: JSONValue {
    .members([
      "parent": .list(query.parent.segments), "query": query.messageTree,
      "isReversed": .boolean(isReversed),
    ])
  }
}

extension ResourcePath {
  fileprivate init(segmentsOrRoot segments: [String]) throws(DatabaseError) {
    self = segments.isEmpty ? .root : try ResourcePath(segments: segments)
  }
}

extension QueryCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.message("query"), at: try members.optionalTime("readTime"))
  }

  package var json: JSONValue {
    .members(["query": query.json, "readTime": .time(readTime)])
  }
}

extension QueryCall.Answer {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    statistics = try members.message("statistics")
    readTime = try members.time("readTime")
  }

  package var json: JSONValue {
    .members(["statistics": statistics.json, "readTime": .time(readTime)])
  }
}

extension CountCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(try members.message("query"), at: try members.optionalTime("readTime"))
  }

  package var json: JSONValue {
    .members(["query": query.json, "readTime": .time(readTime)])
  }
}

extension AggregateCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      try members.aggregations("aggregations"), of: try members.message("query"),
      at: try members.optionalTime("readTime"))
  }

  package var json: JSONValue {
    .members([
      "query": query.json, "aggregations": aggregations.messageTree, "readTime": .time(readTime),
    ])
  }
}

extension AggregateCall.Answer {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    figures = try members.message("figures")
    readTime = try members.time("readTime")
  }

  package var json: JSONValue {
    .members(["figures": figures.json, "readTime": .time(readTime)])
  }
}

extension Figures {
  package init(_ json: JSONValue) throws(DatabaseError) {
    values = try AdminMembers(json).list("values") { json throws(DatabaseError) in
      let members = try AdminMembers(json)
      return (try members.string("alias"), try TypedJSON.value(try members.value("value")))
    }
  }

  package var json: JSONValue {
    .members([
      "values": .array(
        values.map { figure in
          .members(["alias": .string(figure.alias), "value": figure.value.messageTree])
        })
    ])
  }
}

extension QueryStatistics: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      entriesRead: try members.integer("entriesRead"),
      documentsRead: try members.integer("documentsRead"),
      seekCount: try members.integer("seekCount"),
      resultsSkipped: try members.integer("resultsSkipped"),
      documentsCovered: try members.integer("documentsCovered"),
      keptCountsRead: try members.integer("keptCountsRead"),
      deletedEntriesPassed: try members.integer("deletedEntriesPassed"))
  }

  package var json: JSONValue {
    .members([
      "entriesRead": .count(entriesRead), "documentsRead": .count(documentsRead),
      "seekCount": .count(seekCount), "resultsSkipped": .count(resultsSkipped),
      "documentsCovered": .count(documentsCovered), "keptCountsRead": .count(keptCountsRead),
      "deletedEntriesPassed": .count(deletedEntriesPassed),
    ])
  }
}

extension AdminMembers {
  func time(_ name: String) throws(DatabaseError) -> Timestamp {
    try Timestamp(rfc3339: try string(name))
  }

  func optionalTime(_ name: String) throws(DatabaseError) -> Timestamp? {
    self[name] == nil ? nil : try time(name)
  }

  /// Figures as messages have them; the query that they are over stands elsewhere.
  func aggregations(_ name: String) throws(DatabaseError) -> [Aggregation] {
    try TypedJSON.aggregationQuery(
      .members(["aggregations": try value(name)]), below: .root
    ).aggregations
  }
}

extension JSONValue {
  static func time(_ time: Timestamp?) -> JSONValue { time.map { .string($0.rfc3339) } ?? .null }
}
