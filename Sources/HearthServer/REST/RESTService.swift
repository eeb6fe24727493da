import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServerCalls
import HearthServerTransport
import SwiftProtobuf

/// Firestore's REST interface: a router over the methods that gRPC calls.
struct RESTService: Sendable {
  /// The meaning of a request; `nil` for an address that it doesn't know.
  typealias Route = @Sendable (HTTPRequest) throws(DatabaseError) -> RESTRequest?

  /// Receives each call that ends: its method, its error if it has failed, and its duration.
  typealias Noting = @Sendable (_ method: String, DatabaseError?, Duration) -> Void

  private let methods: [String: ServiceMethod]
  private let routes: [Route]
  private let noteEnd: Noting

  /// - Parameters:
  ///   - methods: the methods by their names.
  ///   - routes: the routes beside that of documents.
  ///   - noteEnd: receives the end of each call.
  init(
    _ methods: [String: ServiceMethod], routes: [Route] = [], noteEnd: @escaping Noting
  ) {
    self.methods = methods
    self.noteEnd = noteEnd
    self.routes = [RESTRequest.ofDocuments] + routes
  }

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address that nothing answers.
  func answer(_ request: HTTPRequest) async -> HTTPResponse? {
    let rest: RESTRequest
    do throws(DatabaseError) {
      guard let known = try meaning(of: request) else { return nil }
      rest = known
    } catch {
      return RESTService.refusal(error, streams: false)
    }
    guard let method = methods[rest.method] else { return nil }
    let begun = ContinuousClock.now
    do {
      let caller = Caller(authorization: request.header("authorization"))
      let answer = try await answer(rest, by: method, CallContext(caller: caller))
      noteEnd(rest.method, nil, .now - begun)
      return answer
    } catch {
      let error = error as? DatabaseError ?? DatabaseError(.internal, "\(error)")
      noteEnd(rest.method, error, .now - begun)
      return RESTService.refusal(error, streams: method.streams)
    }
  }

  private func meaning(of request: HTTPRequest) throws(DatabaseError) -> RESTRequest? {
    for route in routes {
      if let known = try route(request) { return known }
    }
    return nil
  }

  private func answer(
    _ request: RESTRequest, by method: ServiceMethod, _ context: CallContext
  ) async throws -> HTTPResponse {
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(of: request.json, as: method.requestType)
    var answers: [JSONValue] = []
    try await method.answer(bytes, context) { response in
      answers.append(JSONMessageWriter().json(of: response, as: method.responseType))
    }
    let json = method.streams ? JSONValue.array(answers) : answers.first ?? .object([])
    return RESTService.response(200, json)
  }

  /// Returns the answer to a refused call. Those that stream answer with an array that contains it.
  static func refusal(_ error: DatabaseError, streams: Bool) -> HTTPResponse {
    let error = error.forClient
    let status = Google_Rpc_Status(error)
    var details: JSONValue?
    if let bytes: [UInt8] = try? status.serializedBytes(),
      case .object(let fields) = JSONMessageWriter().json(of: bytes, as: "google.rpc.Status"),
      let member = fields.first(where: { $0.0 == "details" })
    {
      details = member.1
    }
    let body = errorBody(error.code.httpStatus, error.code.name, error.message, details)
    return response(error.code.httpStatus, streams ? .array([body]) : body)
  }

  /// Returns Google's form of an error.
  ///
  /// - Parameter code: the name of the status, such as `NOT_FOUND`.
  static func errorBody(
    _ status: Int, _ code: String, _ message: String, _ details: JSONValue? = nil
  ) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("code", .integer(Int64(status))), ("message", .string(message)), ("status", .string(code)),
    ]
    if let details { members.append(("details", details)) }
    return .object([("error", .object(members))])
  }

  static func response(_ status: Int, _ json: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status, headers: [("content-type", "application/json; charset=UTF-8")], body: json.text)
  }
}
