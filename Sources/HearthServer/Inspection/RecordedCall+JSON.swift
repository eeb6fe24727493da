import HearthDocumentModel
package import HearthFirestoreJSON
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf

extension RecordedCall {
  /// The call in a list, with its subject on one line.
  package var json: JSONValue { .object(members) }

  /// The call with its request, if that was kept.
  var wholeJSON: JSONValue {
    guard let request else { return json }
    let json = JSONMessageWriter().json(of: request.bytes, as: request.type)
    return .object(members + [("request", json)])
  }

  private var members: [(String, JSONValue)] {
    let requested = request.flatMap { requestedQuery(in: $0.bytes) }
    var members: [(String, JSONValue)] = [
      ("number", .integer(Int64(number))), ("time", .integer(time)), ("method", .string(method)),
      ("subject", .string(subject(requested))), ("code", .string(code)),
      ("refused", .boolean(isRefusal)), ("answers", .integer(Int64(answerCount))),
    ]
    if let database = listener?.database ?? requested?.database {
      members.append(("database", .string("\(database)")))
    }
    if let duration { members.append(("milliseconds", .double(duration / .milliseconds(1)))) }
    if let message { members.append(("message", .string(message))) }
    if let work {
      members.append(("entriesRead", .integer(Int64(work.entriesRead))))
      members.append(("documentsRead", .integer(Int64(work.documentsRead))))
    }
    return members
  }

  /// The query of the call, or the names in its request; empty if that wasn't kept.
  private func subject(_ requested: RequestedQuery?) -> String {
    if let listener { return listener.query.cut }
    if let requested { return QueryText.text(of: requested.query, in: requested.database).cut }
    guard let request else { return "" }
    let json = JSONMessageWriter().json(of: request.bytes, as: request.type)
    let names = ["name", "parent", "database"].compactMap { json[$0]?.string }
    let document = json["document"]?["name"]?.string
    let writes = json["writes"]?.elements.count ?? 0
    return [
      names.first ?? document ?? "", json["collectionId"]?.string ?? "",
      writes > 0 ? "\(writes) writes" : "",
    ]
    .filter { !$0.isEmpty }.joined(separator: ", ").cut
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

extension String {
  /// The text for a list: at most 500 characters of it.
  fileprivate var cut: String { count > 500 ? prefix(499) + "…" : self }
}
