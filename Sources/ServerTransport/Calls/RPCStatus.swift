/// The end of a call: gRPC's code, a text and details.
package struct RPCStatus: Error, Sendable, Equatable {
  package enum Code: Int, Sendable {
    case ok = 0
    case cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists
    case permissionDenied, resourceExhausted, failedPrecondition, aborted, outOfRange
    case unimplemented, `internal`, unavailable, dataLoss, unauthenticated
  }

  package let code: Code
  package let message: String
  /// A serialized `google.rpc.Status` that repeats code and text and adds details, in base64
  /// without padding; empty for none.
  package let details: String

  package static let ok = RPCStatus(.ok, "")
  /// The end of a call that its client has given up.
  package static let cancelled = RPCStatus(.cancelled, "The client has cancelled the call.")
  static let deadlineExceeded = RPCStatus(.deadlineExceeded, "Deadline exceeded.")
  static let shutDown = RPCStatus(.unavailable, "The server is shutting down.")

  package init(_ code: Code, _ message: String, details: String = "") {
    self.code = code
    self.message = message
    self.details = details
  }

  /// The status of a handler that ended with `error`. A handler throws a status itself; any other
  /// error is a fault of the server.
  init(of error: any Error) {
    switch error {
    case let status as RPCStatus: self = status
    case is CancellationError: self = .cancelled
    default: self.init(.internal, "\(error)")
    }
  }
}

extension RPCStatus {
  /// Returns a text as `grpc-message` carries it: every byte outside of 0x20 to 0x7E, and `%`, is
  /// percent-encoded.
  ///
  /// - Parameter limit: the number of encoded bytes after which characters are left out.
  static func percentEncoded(_ text: String, upTo limit: Int) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for character in text.unicodeScalars {
      let start = bytes.count
      for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter {
        if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%") {
          bytes.append(byte)
        } else {
          bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
      }
      if bytes.count > limit {
        bytes.removeLast(bytes.count - start)
        break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
