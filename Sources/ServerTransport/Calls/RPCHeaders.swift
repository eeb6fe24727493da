import NIOHPACK

/// The header blocks of answers.
enum RPCHeaders {
  private static let contentType = ("content-type", "application/grpc")

  /// The block before the first message.
  static let answer = HPACKHeaders([
    (":status", "200"), contentType, ("grpc-encoding", "identity"),
    ("grpc-accept-encoding", "gzip"),
  ])

  /// Returns the block after the last message, or the only one of a call without messages.
  static func end(_ status: RPCStatus, isFirst: Bool) -> HPACKHeaders {
    var headers = HPACKHeaders(isFirst ? [(":status", "200"), contentType] : [])
    headers.add(name: "grpc-status", value: "\(status.code.rawValue)")
    if !status.message.isEmpty {
      headers.add(name: "grpc-message", value: RPCStatus.percentEncoded(status.message))
    }
    if status.code == .unimplemented, isFirst {
      headers.add(name: "grpc-accept-encoding", value: "gzip")
    }
    if !status.details.isEmpty {
      headers.add(name: "grpc-status-details-bin", value: status.details)
    }
    return headers
  }

  /// Whether a request's content type is that of a call.
  static func isCall(_ headers: HPACKHeaders) -> Bool {
    guard let type = headers.first(name: "content-type") else { return false }
    return type == "application/grpc" || type.hasPrefix("application/grpc+")
      || type.hasPrefix("application/grpc;")
  }
}
