package import AdminSocket
package import DocumentModel
package import FirestoreJSON
import QueryPlanning

/// Reports the figures of a database. The items are the number of entries counted so far.
package struct StatisticsCall: DatabaseCall {
  package typealias Item = AdminCount
  package typealias Answer = DatabaseStatistics
  package static let name = "stats"

  private let countsEntries: Bool

  package init(countingEntries countsEntries: Bool) {
    self.countsEntries = countsEntries
  }

  package init(_ json: JSONValue) throws(DatabaseError) {
    countsEntries = try AdminMembers(json).boolean("countsEntries")
  }

  package var json: JSONValue { .members(["countsEntries": .boolean(countsEntries)]) }

  package func perform(
    on database: Database, _ send: (AdminCount) throws -> Void
  ) throws -> DatabaseStatistics {
    try following(send) { progress in
      try database.statistics(countingEntries: countsEntries) { progress(AdminCount($0)) }
    }
  }
}

extension DatabaseStatistics: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    documentCount = try members.optionalInteger("documentCount")
    collectionCount = try members.optionalInteger("collectionCount")
    commitCount = try members.integer("commitCount")
    lastCommitTime = try members.time("lastCommitTime")
    commitTimeLead = try members.optionalInteger("commitTimeLeadMicroseconds").map {
      .microseconds($0)
    }
    diskByteCount = try members.integer("diskByteCount")
    indexes = try members.messages("indexes")
    usageStart = try members.time("usageStart")
    usageFailure = try members.optionalString("usageFailure")
    caches = try members.message("caches")
    historyMomentCount = try members.integer("historyMomentCount")
    historyByteCount = try members.integer("historyByteCount")
    listenerCount = try members.integer("listenerCount")
    keepsSums = try members.boolean("keepsSums")
  }

  package var json: JSONValue {
    .members([
      "documentCount": documentCount.map(JSONValue.count),
      "collectionCount": collectionCount.map(JSONValue.count),
      "commitCount": .count(commitCount), "lastCommitTime": .time(lastCommitTime),
      "commitTimeLeadMicroseconds": commitTimeLead.map { .count(Int($0 / .microseconds(1))) },
      "diskByteCount": .count(diskByteCount), "indexes": .list(indexes),
      "usageStart": .time(usageStart), "usageFailure": usageFailure.map(JSONValue.string),
      "caches": caches.json, "historyMomentCount": .count(historyMomentCount),
      "historyByteCount": .count(historyByteCount), "listenerCount": .count(listenerCount),
      "keepsSums": .boolean(keepsSums),
    ])
  }
}

extension IndexStatistics: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    kind = try members.choice("kind")
    definitions = try members.messages("definitions")
    // The collection group is that of the first definition.
    guard !definitions.isEmpty else { throw members.invalid("definitions") }
    state = try members.choice("state")
    isHidden = try members.boolean("isHidden")
    entryCount = try members.optionalInteger("entryCount")
    byteCount = try members.optionalInteger("byteCount")
    diskByteCount = try members.optionalInteger("diskByteCount")
    since = try members.time("since")
    queryCount = try members.optionalInteger("queryCount")
    lastQueryTime = try members.optionalTime("lastQueryTime")
    entryWriteCount = try members.integer("entryWriteCount")
  }

  package var json: JSONValue {
    .members([
      "kind": .string(kind.rawValue), "definitions": .list(definitions),
      "state": .string(state.rawValue), "isHidden": .boolean(isHidden),
      "entryCount": entryCount.map(JSONValue.count), "byteCount": byteCount.map(JSONValue.count),
      "diskByteCount": diskByteCount.map(JSONValue.count), "since": .time(since),
      "queryCount": queryCount.map(JSONValue.count),
      "lastQueryTime": lastQueryTime.map { .time($0) },
      "entryWriteCount": .count(entryWriteCount),
    ])
  }
}

extension CacheStatistics: AdminObject {
  package init(_ json: JSONValue) throws(DatabaseError) {
    let members = try AdminMembers(json)
    documentCount = try members.integer("documentCount")
    documentByteCount = try members.integer("documentByteCount")
    documentHitCount = try members.integer("documentHitCount")
    documentMissCount = try members.integer("documentMissCount")
    scanCount = try members.integer("scanCount")
    scanByteCount = try members.integer("scanByteCount")
  }

  package var json: JSONValue {
    .members([
      "documentCount": .count(documentCount), "documentByteCount": .count(documentByteCount),
      "documentHitCount": .count(documentHitCount),
      "documentMissCount": .count(documentMissCount), "scanCount": .count(scanCount),
      "scanByteCount": .count(scanByteCount),
    ])
  }
}
