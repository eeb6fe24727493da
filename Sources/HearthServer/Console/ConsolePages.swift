import CHearthConsole
import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerTransport

/// The console: a page on which a person sees the data and the indexes of a server. Its files hold
/// nothing of the server's. It works by the server's public interfaces, with the caller's rights.
struct ConsolePages: Sendable {
  /// The credentials that the page sends.
  enum Credentials: String {
    /// An emulator's administrator, `Bearer owner`.
    case owner
    /// An access token, which the page asks for.
    case token
  }

  private static let folder = "/console/"
  /// The files load nothing from elsewhere, run nothing that stands in a page, and are shown in no
  /// frame.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private let credentials: Credentials
  private let database: DatabaseID
  private let isSecure: Bool

  /// - Parameters:
  ///   - database: the database that the page shows at first.
  ///   - isSecure: whether the port speaks TLS alone.
  init(_ credentials: Credentials, database: DatabaseID, isSecure: Bool) {
    self.credentials = credentials
    self.database = database
    self.isSecure = isSecure
  }

  /// Whether a request is for the console's files, which need no credentials.
  func serves(_ request: HTTPRequest) -> Bool {
    guard request.method == "GET" else { return false }
    return request.path == "/" ? request.isOfBrowser : request.path.hasPrefix(ConsolePages.folder)
  }

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address of something else.
  func answer(_ request: HTTPRequest) -> HTTPResponse? {
    if request.method == "GET",
      request.path == "/console" || request.path == "/" && request.isOfBrowser
    {
      return HTTPResponse(307, headers: [("location", ConsolePages.folder)])
    }
    guard serves(request) else { return nil }
    guard isOfItself(request) else {
      return HTTPResponse(403, text: "Other pages can't load the console.\n")
    }
    let name = String(request.path.dropFirst(ConsolePages.folder.count))
    if name == "setting.json" { return ConsolePages.response("application/json", setting) }
    guard let page = hearth_page_named(name.isEmpty ? "index.html" : name) else {
      return HTTPResponse(404, text: "Not Found\n")
    }
    return ConsolePages.response(
      String(cString: page.pointee.type),
      Array(UnsafeBufferPointer(start: page.pointee.bytes, count: page.pointee.count)))
  }

  private var setting: [UInt8] {
    JSONValue.object([
      ("authorization", .string(credentials.rawValue)), ("project", .string(database.project)),
      ("database", .string(database.database)),
    ]).text
  }

  /// Whether a request comes from the console itself, or from a person who opens it.
  private func isOfItself(_ request: HTTPRequest) -> Bool {
    if let origin = request.header("origin") {
      let own = request.ownOrigin(isSecure: isSecure) ?? ""
      return origin.lowercased().utf8Equal(own.lowercased())
    }
    // A browser says so; a link from another page leads to the console, and nothing else does.
    guard let site = request.header("sec-fetch-site") else { return true }
    let isLink =
      request.header("sec-fetch-mode") == "navigate"
      && request.header("sec-fetch-dest") == "document"
    return site == "same-origin" || site == "none" || isLink
  }

  private static func response(_ type: String, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      200,
      headers: [
        ("content-type", type), ("content-security-policy", policy),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"), ("cache-control", "no-cache"),
      ], body: body)
  }
}

extension HTTPRequest {
  /// The target without its query.
  fileprivate var path: Substring { target.prefix { $0 != "?" } }

  /// Whether a browser asks for a page to show.
  fileprivate var isOfBrowser: Bool { header("accept")?.contains("text/html") == true }
}
