import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf

extension RecordedCall {
  /// The call in a list, with its subject on one line.
  var json: JSONValue { .object(members) }

  /// The call with its request, if that was kept.
  var wholeJSON: JSONValue {
    guard let request else { return json }
    let json = JSONMessageWriter().json(of: request.bytes, as: request.type)
    return .object(members + [("request", json)])
  }

  private var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("number", .integer(Int64(number))), ("time", .integer(time)), ("method", .string(method)),
      ("subject", .string(subject)), ("milliseconds", .double(duration / .milliseconds(1))),
      ("code", .string(error?.code.name ?? "OK")), ("answers", .integer(Int64(answerCount))),
    ]
    if let error { members.append(("message", .string(error.forClient.message))) }
    if let work {
      members.append(("entriesRead", .integer(Int64(work.entriesRead))))
      members.append(("documentsRead", .integer(Int64(work.documentsRead))))
    }
    return members
  }

  /// The query of the call, or the names in its request; empty if that wasn't kept.
  private var subject: String {
    if let query = query ?? request.flatMap({ requestedQuery(in: $0.bytes) }) {
      return QueryText.text(of: query.query, in: query.database)
    }
    guard let request else { return "" }
    let json = JSONMessageWriter().json(of: request.bytes, as: request.type)
    let names = ["name", "parent", "database"].compactMap { json[$0]?.string }
    let document = json["document"]?["name"]?.string
    let writes = json["writes"]?.elements.count ?? 0
    return [
      names.first ?? document ?? "", json["collectionId"]?.string ?? "",
      writes > 0 ? "\(writes) writes" : "",
    ]
    .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func requestedQuery(in bytes: [UInt8]) -> RequestedQuery? {
    switch method {
    case "RunQuery": (try? V1.RunQueryRequest(request: bytes).requestedQuery()) ?? nil
    case "RunAggregationQuery":
      (try? V1.RunAggregationQueryRequest(request: bytes).requestedQuery()) ?? nil
    default: nil
    }
  }
}
