import Foundation
import HearthDocumentModel
import HearthFirestoreJSON

/// A row as a request of Firestore's REST interface.
struct WireRequest: Sendable {
  let method: String
  let path: String
  let body: String

  /// - Parameter root: the path of the database.
  init(_ row: RecordedRow, below root: String, _ answers: RecordedAnswers) throws {
    let request = try answers.substituted(row.request ?? .object([]))
    let parent = (["\(root)/documents"] + row.parent.split(separator: "/").map(String.init))
      .joined(separator: "/")
    var members = request.members
    switch row.kind {
    case "getDocument", "deleteDocument":
      method = row.kind == "getDocument" ? "GET" : "DELETE"
      path = "/v1/\(request["name"]?.string ?? "")" + Self.query(members.filter { $0.0 != "name" })
      body = ""
      return
    case "listDocuments":
      method = "GET"
      path =
        "\(parent)/\(request["collectionId"]?.string ?? "")"
        + Self.query(members.filter { $0.0 != "collectionId" })
      body = ""
      return
    case "runQuery": members = [("structuredQuery", request)]
    case "runAggregationQuery": members = [("structuredAggregationQuery", request)]
    default: break
    }
    let beside = [
      ("explainOptions", row.explainOptions), ("readTime", row.readTime),
      ("transaction", row.transaction),
    ]
    for case (let name, let value?) in beside {
      members.append((name, try answers.substituted(value)))
    }
    method = "POST"
    path = "\(parent):\(row.kind)"
    body = row.rawBody ?? String(decoding: JSONValue.object(members).text, as: UTF8.self)
  }

  private static func query(_ members: [(String, JSONValue)]) -> String {
    guard !members.isEmpty else { return "" }
    let parameters = members.map { name, value in
      let text = value.string ?? String(decoding: value.text, as: UTF8.self)
      return "\(name)=\(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    }
    return "?" + parameters.joined(separator: "&")
  }
}
