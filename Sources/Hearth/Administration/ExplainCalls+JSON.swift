import AdminSocket
package import DocumentModel
package import FirestoreJSON
import QueryPlanning

extension ExplainCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      try members.message("query"), aggregating: try members.aggregations("aggregations"),
      try members.choice("extent"), at: try members.optionalTime("readTime"))
  }

  package var json: JSONValue {
    .members([
      "query": query.json, "aggregations": aggregations.messageTree,
      "extent": .string(extent.rawValue), "readTime": .time(readTime),
    ])
  }
}

extension ExplainCall.Answer {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    explanation = try members.message("explanation")
    figures = try members.message("figures")
    readTime = try members.time("readTime")
  }

  package var json: JSONValue {
    .members([
      "explanation": explanation.json, "figures": figures.json, "readTime": .time(readTime),
    ])
  }
}

extension IndexesNotUsedCall {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      try members.message("query"), aggregating: try members.aggregations("aggregations"))
  }

  package var json: JSONValue {
    .members(["query": query.json, "aggregations": aggregations.messageTree])
  }
}

extension QueryExplanation: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      tree: try members.message("tree"), indexesUsed: try members.messages("indexesUsed"),
      indexesNotUsed: try members.messages("indexesNotUsed"),
      indexesReplacingMerges: try members.messages("indexesReplacingMerges"),
      execution: try members.optionalMessage("execution"))
  }

  package var json: JSONValue {
    .members([
      "tree": tree.json, "indexesUsed": .list(indexesUsed),
      "indexesNotUsed": .list(indexesNotUsed),
      "indexesReplacingMerges": .list(indexesReplacingMerges), "execution": execution?.json,
    ])
  }
}

extension QueryExplanation.UsedIndex: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      queryScope: try members.string("queryScope"),
      properties: try members.string("properties"))
  }

  package var json: JSONValue {
    .members(["queryScope": .string(queryScope), "properties": .string(properties)])
  }
}

extension QueryExplanation.UnusedIndex: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      index: try members.message("index"), isAutomatic: try members.boolean("isAutomatic"),
      reason: try members.string("reason"), edit: try members.optionalString("edit"))
  }

  package var json: JSONValue {
    .members([
      "index": index.json, "isAutomatic": .boolean(isAutomatic), "reason": .string(reason),
      "edit": edit.map(JSONValue.string),
    ])
  }
}

extension QueryExplanation.Execution: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    self.init(
      resultCount: try members.integer("resultCount"),
      statistics: try members.message("statistics"),
      documentBytesRead: try members.integer("documentBytesRead"),
      planning: try members.duration("planning"),
      findingEntries: try members.duration("findingEntries"),
      readingDocuments: try members.duration("readingDocuments"),
      production: try members.message("production"))
  }

  package var json: JSONValue {
    .members([
      "resultCount": .count(resultCount), "statistics": statistics.json,
      "documentBytesRead": .count(documentBytesRead), "planning": .duration(planning),
      "findingEntries": .duration(findingEntries),
      "readingDocuments": .duration(readingDocuments), "production": production.json,
    ])
  }
}

extension QueryExplanation.ProductionStatistics: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    resultsReturned = try members.integer("resultsReturned")
    readOperations = try members.integer("readOperations")
    documentsScanned = try members.integer("documentsScanned")
    indexEntriesScanned = try members.integer("indexEntriesScanned")
    documentsBillable = try members.integer("documentsBillable")
    indexEntriesBillable = try members.integer("indexEntriesBillable")
    knnVectorIndexEntriesBillable = try members.optionalInteger("vectorsBillable")
    smallOperations = try members.integer("smallOperations")
    minimumQueryCost = try members.integer("minimumQueryCost")
  }

  package var json: JSONValue {
    .members([
      "resultsReturned": .count(resultsReturned), "readOperations": .count(readOperations),
      "documentsScanned": .count(documentsScanned),
      "indexEntriesScanned": .count(indexEntriesScanned),
      "documentsBillable": .count(documentsBillable),
      "indexEntriesBillable": .count(indexEntriesBillable),
      "vectorsBillable": knnVectorIndexEntriesBillable.map(JSONValue.count),
      "smallOperations": .count(smallOperations), "minimumQueryCost": .count(minimumQueryCost),
    ])
  }
}

extension AdminMembers {
  fileprivate func duration(_ name: String) throws(DatabaseError) -> Duration {
    .nanoseconds(try integer(name))
  }
}

extension JSONValue {
  fileprivate static func duration(_ duration: Duration) -> JSONValue {
    .integer(Int64(duration / .nanoseconds(1)))
  }
}
