import HearthDocumentModel
import HearthFirestoreJSON

/// The listing of all accounts, page by page (A§10).
struct AccountListing {
  private static let usualLimit: Int64 = 20
  private static let highestLimit: Int64 = 1000

  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    let asked = call.parameters["maxResults"].map { Int64($0) } ?? AccountListing.usualLimit
    guard let asked, asked >= 0 else { throw AccountError("INVALID_MAX_RESULTS") }
    let limit = Int(
      min(asked == 0 ? AccountListing.usualLimit : asked, AccountListing.highestLimit))
    // A token that none of the pages gave means a place without accounts behind it.
    let token = call.parameters["nextPageToken"]
    let last = token.map { PageToken.last(in: $0) }
    guard last != .some(nil) else { return AccountListing.answer([], nextToken: nil) }
    let found = try await call.read { accounts throws(AccountError) in
      try accounts.accounts(after: last ?? nil, limit: limit + 1)
    }
    let page = found.prefix(limit)
    let next = found.count > limit ? page.last.map { PageToken.text(after: $0.id) } : nil
    return AccountListing.answer(Array(page), nextToken: next)
  }

  private static func answer(_ page: [Account], nextToken: String?) -> AccountAnswer {
    var members: [(String, JSONValue)] = []
    if !page.isEmpty { members.append(("users", .array(page.map(AccountJSON.json)))) }
    members.append("nextPageToken", nextToken)
    return AccountAnswer(kind: "DownloadAccountResponse", members)
  }
}

/// The token of a page: the id of the last account before it.
private enum PageToken {
  static func text(after id: String) -> String {
    Base64.text(of: Array(id.utf8), .url)
  }

  /// Returns the id; `nil` for a text that is no token.
  static func last(in token: String) -> String? {
    guard let bytes = Base64.bytes(token), !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
