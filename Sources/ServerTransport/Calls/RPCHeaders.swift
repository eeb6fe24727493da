import NIOHPACK

/// The header blocks of answers.
enum RPCHeaders {
  private static let contentType = ("content-type", "application/grpc")
  /// The longest text of a status. Most texts repeat a part of the request, which may be long.
  private static let messageByteCountLimit = 4 << 10
  /// The longest text and details together. Many clients take 8 KiB of headers.
  private static let endByteCountLimit = 7 << 10

  /// The block before the first message.
  static let answer = HPACKHeaders([
    (":status", "200"), contentType, ("grpc-encoding", "identity"),
    ("grpc-accept-encoding", "gzip"),
  ])

  /// Returns the block after the last message, or the only one of a call without messages.
  static func end(_ status: RPCStatus, isFirst: Bool) -> HPACKHeaders {
    var headers = HPACKHeaders(isFirst ? [(":status", "200"), contentType] : [])
    headers.add(name: "grpc-status", value: "\(status.code.rawValue)")
    let text = RPCStatus.percentEncoded(status.message, upTo: messageByteCountLimit)
    if !text.isEmpty { headers.add(name: "grpc-message", value: text) }
    if status.code == .unimplemented, isFirst {
      headers.add(name: "grpc-accept-encoding", value: "gzip")
    }
    // Details repeat the text. Without room for both, clients get the text.
    if !status.details.isEmpty, text.utf8.count + status.details.utf8.count <= endByteCountLimit {
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
