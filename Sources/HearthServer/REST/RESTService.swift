package import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServerCalls
package import HearthServerTransport
import SwiftProtobuf

/// Firestore's REST interface: a router over the methods that gRPC calls.
package struct RESTService: Sendable {
  /// The meaning of a request; `nil` for an address that it doesn't know.
  package typealias Route = @Sendable (HTTPRequest) throws(DatabaseError) -> RESTRequest?

  /// Receives each call that ends: its method, its error if it has failed, and its duration.
  package typealias Noting = @Sendable (_ method: String, DatabaseError?, Duration) -> Void

  private let methods: [String: ServiceMethod]
  private let routes: [Route]
  private let noteEnd: Noting

  /// - Parameters:
  ///   - methods: the methods by their names.
  ///   - routes: the routes beside that of documents.
  ///   - noteEnd: receives the end of each call.
  package init(
    _ methods: [String: ServiceMethod], routes: [Route] = [], noteEnd: @escaping Noting
  ) {
    self.methods = methods
    self.noteEnd = noteEnd
    self.routes = [RESTRequest.ofDocuments] + routes
  }

  /// Answers a request. Sends the beginning of a large answer that streams.
  ///
  /// - Returns: the answer, or the rest of it; `nil` for an address that nothing answers.
  package func answer(_ request: HTTPRequest, _ send: HTTPSending) async -> HTTPResponse? {
    let rest: RESTRequest
    do throws(DatabaseError) {
      guard let known = try meaning(of: request) else { return nil }
      rest = known
    } catch {
      return RESTService.refusal(error, streams: false)
    }
    guard let method = methods[rest.method] else { return nil }
    let begun = ContinuousClock.now
    var context = CallContext(authorization: request.header("authorization"))
    context.isRecorded = request.header("x-hearth-unrecorded") == nil
    var elements = RESTElements()
    do {
      let answer =
        method.streams
        ? try await answer(rest, by: method, context, with: &elements, send)
        : try await answer(rest, by: method, context)
      noteEnd(rest.method, nil, .now - begun)
      return answer
    } catch {
      let error = DatabaseError(ending: error)
      noteEnd(rest.method, error, .now - begun)
      // The status of an answer that has begun can't be taken back (W§6.4).
      guard !elements.isEmpty else {
        return RESTService.refusal(error, streams: method.streams)
      }
      elements.append(RESTService.errorBody(error))
      return RESTService.response(200, elements.rest)
    }
  }

  /// Returns the method that a request calls, which its body doesn't tell; `nil` if it calls none.
  func method(of request: HTTPRequest) -> String? {
    guard let known = try? meaning(of: request), methods[known.method] != nil else { return nil }
    return known.method
  }

  private func meaning(of request: HTTPRequest) throws(DatabaseError) -> RESTRequest? {
    for route in routes {
      if let known = try route(request) { return known }
    }
    return nil
  }

  /// Answers a call with one answer.
  private func answer(
    _ request: RESTRequest, by method: ServiceMethod, _ context: CallContext
  ) async throws -> HTTPResponse {
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(of: request.json, as: method.requestType)
    var answer = JSONValue.object([])
    try await method.answer(bytes, context) { response in
      answer = JSONMessageWriter().json(of: response, as: method.responseType)
    }
    return RESTService.response(200, answer)
  }

  /// Answers a call with any number of answers by an array of them.
  private func answer(
    _ request: RESTRequest, by method: ServiceMethod, _ context: CallContext,
    with elements: inout RESTElements, _ send: HTTPSending
  ) async throws -> HTTPResponse {
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(of: request.json, as: method.requestType)
    try await method.answer(bytes, context) { response in
      elements.append(JSONMessageWriter().json(of: response, as: method.responseType))
      guard let part = elements.takePart() else { return }
      try await send(RESTService.response(200, part))
    }
    return RESTService.response(200, elements.rest)
  }

  /// Returns the answer to a refused call. Those that stream answer with an array that contains it,
  /// but for refusals of the caller.
  static func refusal(_ error: DatabaseError, streams: Bool) -> HTTPResponse {
    let body = errorBody(error)
    let isOfCaller = error.code == .permissionDenied || error.code == .unauthenticated
    return response(
      error.forClient.code.httpStatus, streams && !isOfCaller ? .array([body]) : body)
  }

  /// Returns Google's form of an error, with its details.
  static func errorBody(_ error: DatabaseError) -> JSONValue {
    let error = error.forClient
    let status = Google_Rpc_Status(error)
    var details: JSONValue?
    if let bytes: [UInt8] = try? status.serializedBytes(),
      case .object(let fields) = JSONMessageWriter().json(of: bytes, as: "google.rpc.Status"),
      let member = fields.first(where: { $0.0 == "details" })
    {
      details = member.1
    }
    return errorBody(error.code.httpStatus, error.code.name, error.message, details)
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
    response(status, json.text)
  }

  /// - Parameter json: the text of the body.
  private static func response(_ status: Int, _ json: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status, headers: [("content-type", "application/json; charset=UTF-8")], body: json)
  }
}

extension DatabaseError {
  /// Makes the error of a call that `error` has ended.
  init(ending error: any Error) {
    switch error {
    case let error as DatabaseError: self = error
    case is CancellationError: self.init(.cancelled, "The client has cancelled the call.")
    default: self.init(.internal, "\(error)")
    }
  }
}
