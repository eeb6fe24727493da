import HearthFirestoreJSON
import HearthServerTransport

/// A request on a channel, by its address (W§7).
struct ChannelRequest {
  enum Kind {
    /// Opens a channel, and asks for an id of the session in a header if the client names one.
    case open(namesSession: Bool)
    /// Brings messages.
    case send(session: String)
    /// Asks for the arrays after the last one that the client has.
    case follow(session: String, isLongPoll: Bool, longest: Duration?)
    /// Ends a channel.
    case terminate(session: String)
  }

  let kind: Kind
  /// The path of the stream's calls over gRPC.
  let path: String
  /// The id of the last array that the client has; `nil` if it doesn't tell.
  let acknowledged: Int?
  /// The headers of the stream that the address carries, as older clients do.
  let headers: [String: String]
  /// The database that the address names; `nil` for none.
  let database: String?

  private static let suffix = "/channel"

  /// Returns the path of the stream of a request; `nil` for one of another address.
  static func streamPath(of target: String) -> String? {
    let path = target.prefix { $0 != "?" }
    guard path.hasSuffix(suffix) else { return nil }
    return String(path.dropLast(suffix.count))
  }

  /// - Throws: ``ChannelRefusal/badRequest(_:)``.
  init(_ request: HTTPRequest) throws(ChannelRefusal) {
    guard let path = ChannelRequest.streamPath(of: request.target),
      let address = RESTAddress(request.target)
    else { throw .badRequest("The address has a broken escape.") }
    let fields = Dictionary(
      address.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    self.path = path
    acknowledged = try ChannelForm.number("AID", in: fields)
    headers = ChannelForm.headers(in: fields["$httpHeaders"] ?? "")
    database = fields["database"]
    kind = try ChannelRequest.kind(of: request.method, fields)
  }

  private static func kind(
    of method: String, _ fields: [String: String]
  ) throws(ChannelRefusal) -> Kind {
    let session = fields["SID"]
    switch method {
    case "GET", "POST":
      if let session, fields["TYPE"] == "terminate" { return .terminate(session: session) }
    default: throw .badRequest("A channel has requests of GET and POST alone.")
    }
    guard fields["VER"] == nil || fields["VER"] == "8" else {
      throw .badRequest("The version of a channel is 8.")
    }
    guard let session else {
      guard method == "POST" else { throw .badRequest("A GET names its channel, by SID.") }
      return .open(namesSession: fields["X-HTTP-Session-Id"] != nil)
    }
    guard method == "GET" else { return .send(session: session) }
    guard fields["RID"] == "rpc" else { throw .badRequest("RID is rpc in a GET.") }
    let longest = try ChannelForm.number("TO", in: fields)
    return .follow(
      session: session, isLongPoll: fields["CI"] == "1",
      longest: longest.map { .milliseconds($0) })
  }
}
