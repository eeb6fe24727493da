/// A request of HTTP that is no call of gRPC, whole.
package struct HTTPRequest: Sendable {
  /// The version of HTTP: 1 or 2.
  package let version: Int
  package let method: String
  /// The path with its query, as it came.
  package let target: String
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]
  /// The address at the other end of the connection, as the system writes it; `nil` if there is
  /// none. No header counts: anyone can write one.
  package let clientAddress: String?

  package init(
    version: Int, method: String, target: String, headers: [(name: String, value: String)],
    body: [UInt8], clientAddress: String? = nil
  ) {
    self.version = version
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.clientAddress = clientAddress
  }

  /// Returns the first value of a header, whose name is in lower case.
  package func header(_ name: String) -> String? { values(of: name).first }

  /// Returns all values of a header, whose name is in lower case.
  package func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}

/// The answer to a request of HTTP.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    _ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer of plain text.
  package init(_ status: Int, text: String) {
    self.init(
      status, headers: [("content-type", "text/plain; charset=utf-8")], body: Array(text.utf8))
  }
}

/// Sends a part of an answer whose end isn't known yet. The head of the first part is that of the
/// answer, and the bodies follow each other. Suspends while the client doesn't read.
///
/// Throws `CancellationError` once the client has gone.
package typealias HTTPSending = @Sendable (HTTPResponse) async throws -> Void

/// Answers the requests of HTTP that are no calls of gRPC. It runs on the threads of handlers.
///
/// It returns the whole answer, or the last part of one that it has begun to send.
package typealias HTTPAnswering = @Sendable (HTTPRequest, HTTPSending) async -> HTTPResponse

/// Refuses a request by its headers, before its body is read; `nil` admits it. It runs on an event
/// loop and must not block.
package typealias HTTPAdmission = @Sendable (HTTPRequest) -> HTTPResponse?

/// A fault of a request that the port finds before the request is whole.
package enum HTTPFault: Sendable {
  /// The body has more bytes than the port takes.
  case tooLarge(byteCountLimit: Int)
  /// All clients together have begun too much.
  case tooManyUnfinished

  package var status: Int {
    switch self {
    case .tooLarge: 413
    case .tooManyUnfinished: 503
    }
  }

  package var message: String {
    switch self {
    case .tooLarge(let limit): "The request is larger than \(limit) bytes."
    case .tooManyUnfinished: "The server has too many unfinished requests."
    }
  }
}

/// Forms the answer to an admitted request with a fault. It runs on an event loop and must not
/// block.
package typealias HTTPRefusing = @Sendable (HTTPRequest, HTTPFault) -> HTTPResponse

/// The answers of a port to requests of HTTP that are no calls of gRPC.
package struct HTTPAnswers: Sendable {
  let admits: HTTPAdmission
  let refuses: HTTPRefusing
  let answer: HTTPAnswering

  package init(
    admits: @escaping HTTPAdmission = { _ in nil },
    refuses: @escaping HTTPRefusing = { HTTPResponse($1.status, text: $1.message) },
    answer: @escaping HTTPAnswering
  ) {
    self.admits = admits
    self.refuses = refuses
    self.answer = answer
  }
}
