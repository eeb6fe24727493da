import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerCalls

extension IndexReport {
  var json: JSONValue {
    .object([
      ("usageStart", .string(usageStart.rfc3339)), ("indexes", .array(rows.map(\.json))),
    ])
  }
}

extension IndexReport.Row {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("hidden", .boolean(isHidden)),
      ("entryWrites", .integer(Int64(entryWriteCount))),
      ("servedBy", .array(replacements.map { .string($0) })),
    ]
    if let diskByteCount { members.append(("diskBytes", .integer(Int64(diskByteCount)))) }
    if let queryCount { members.append(("queries", .integer(Int64(queryCount)))) }
    if let lastQueryTime { members.append(("lastUsed", .string(lastQueryTime.rfc3339))) }
    return .object(members)
  }
}

extension QueryExplanation.UnusedIndex {
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("index", .string(index.description)), ("automatic", .boolean(isAutomatic)),
      ("reason", .string(reason)),
    ]
    if let edit { members.append(("edit", .string(edit))) }
    return .object(members)
  }
}
