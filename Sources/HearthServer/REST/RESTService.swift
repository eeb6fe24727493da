import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthServerCalls
import HearthServerTransport
import SwiftProtobuf

/// Firestore's REST interface: a router over the methods that gRPC calls.
struct RESTService: Sendable {
  private let methods: [String: ServiceMethod]

  /// - Parameter methods: the methods by their names.
  init(_ methods: [String: ServiceMethod]) {
    self.methods = methods
  }

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address that nothing answers.
  func answer(_ request: HTTPRequest) async -> HTTPResponse? {
    guard let target = RESTTarget(request.target, takesVerb: request.method == "POST") else {
      return nil
    }
    let rest: RESTRequest
    do throws(DatabaseError) {
      guard let known = try RESTRequest(request, target) else { return nil }
      rest = known
    } catch {
      return RESTService.refusal(error, streams: false)
    }
    guard let method = methods[rest.method] else { return nil }
    do {
      return try await answer(rest, by: method)
    } catch let error as DatabaseError {
      return RESTService.refusal(error, streams: method.streams)
    } catch {
      return RESTService.refusal(DatabaseError(.internal, "\(error)"), streams: method.streams)
    }
  }

  private func answer(
    _ request: RESTRequest, by method: ServiceMethod
  ) async throws -> HTTPResponse {
    var reader = JSONMessageReader()
    let bytes = try reader.bytes(of: request.json, as: method.requestType)
    var answers: [JSONValue] = []
    try await method.answer(bytes, CallContext()) { response in
      answers.append(JSONMessageWriter().json(of: response, as: method.responseType))
    }
    let json = method.streams ? JSONValue.array(answers) : answers.first ?? .object([])
    return RESTService.response(200, json)
  }

  /// Returns the answer to a refused call. Those that stream answer with an array that contains it.
  static func refusal(_ error: DatabaseError, streams: Bool) -> HTTPResponse {
    let status = Google_Rpc_Status(error)
    var members: [(String, JSONValue)] = [
      ("code", .integer(Int64(error.code.httpStatus))), ("message", .string(error.message)),
      ("status", .string(error.code.name)),
    ]
    if let bytes: [UInt8] = try? status.serializedBytes(),
      case .object(let fields) = JSONMessageWriter().json(of: bytes, as: "google.rpc.Status"),
      let details = fields.first(where: { $0.0 == "details" })
    {
      members.append(details)
    }
    let body = JSONValue.object([("error", .object(members))])
    return response(error.code.httpStatus, streams ? .array([body]) : body)
  }

  static func response(_ status: Int, _ json: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status, headers: [("content-type", "application/json; charset=UTF-8")], body: json.text)
  }
}
