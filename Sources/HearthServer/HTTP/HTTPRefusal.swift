import HearthServerTransport

/// The refusal of a request of HTTP before it has become a call.
struct HTTPRefusal {
  let status: Int
  /// The name of gRPC's code, such as `UNAUTHENTICATED`.
  let code: String
  let message: String

  static let severalHosts = HTTPRefusal(
    status: 400, code: "INVALID_ARGUMENT",
    message: "A request has one host, and at most one origin.")
  static let missingToken = HTTPRefusal(
    status: 401, code: "UNAUTHENTICATED", message: Admission.missingToken)

  /// Refuses a host or an origin.
  static func forbidden(_ reason: String) -> HTTPRefusal {
    HTTPRefusal(status: 403, code: "PERMISSION_DENIED", message: reason)
  }

  /// The answer, in Google's form of errors.
  var response: HTTPResponse {
    var response = RESTService.response(status, RESTService.errorBody(status, code, message))
    if status == 401 { response.headers.append(("www-authenticate", "Bearer")) }
    return response
  }
}

extension HTTPRefusal {
  init(_ fault: HTTPFault) {
    let code =
      switch fault {
      case .tooLarge: "INVALID_ARGUMENT"
      case .tooManyUnfinished: "UNAVAILABLE"
      }
    self.init(status: fault.status, code: code, message: fault.message)
  }
}
