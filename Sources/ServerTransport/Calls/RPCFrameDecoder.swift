import NIOCore

// A message in the body of a call. Messages don't align with the frames of HTTP/2.
//
//   bytes | content
//   ------+--------------------------------------------
//   1     | 1 if the message is compressed, else 0
//   4     | length of the message, the highest byte first
//   …     | message
struct RPCFrameDecoder {
  /// The compression that a call's headers name.
  enum Encoding: Equatable {
    case identity, gzip
    case unknown(String)

    init(header: String?) {
      switch header {
      case nil, "identity": self = .identity
      case "gzip": self = .gzip
      case let name?: self = .unknown(name)
      }
    }
  }

  private let encoding: Encoding
  /// The largest message, after decompression.
  private let byteCountLimit: Int
  private var buffer = ByteBuffer()

  init(encoding: Encoding, byteCountLimit: Int) {
    self.encoding = encoding
    self.byteCountLimit = byteCountLimit
  }

  /// Number of bytes of a message that isn't whole.
  var byteCount: Int { buffer.readableBytes }
  /// Whether the bytes so far end within a message.
  var isInsideMessage: Bool { byteCount > 0 }

  mutating func append(_ bytes: ByteBuffer) {
    if buffer.readableBytes == 0 {
      buffer = bytes
    } else {
      buffer.writeImmutableBuffer(bytes)
    }
  }

  /// Returns the next whole message; `nil` if there is none yet.
  ///
  /// A message that is too long is refused by its length, before its bytes are there.
  ///
  /// - Throws: `resourceExhausted` for a message that is too long; `unimplemented` for a
  ///   compression that isn't known; `internal` for bytes that can't be decompressed.
  mutating func next() throws(RPCStatus) -> [UInt8]? {
    let start = buffer.readerIndex
    guard let flag = buffer.getInteger(at: start, as: UInt8.self),
      let length = buffer.getInteger(at: start + 1, as: UInt32.self)
    else { return nil }
    guard length <= byteCountLimit else { throw tooLong(Int(length)) }
    guard flag <= 1 else { throw RPCStatus(.internal, "Invalid flag of a message: \(flag).") }
    guard buffer.readableBytes >= 5 + Int(length) else { return nil }
    buffer.moveReaderIndex(forwardBy: 5)
    let bytes = buffer.readBytes(length: Int(length)) ?? []
    if buffer.readableBytes == 0 { buffer = ByteBuffer() } else { buffer.discardReadBytes() }
    return flag == 0 ? bytes : try decompressed(bytes)
  }

  private func decompressed(_ bytes: [UInt8]) throws(RPCStatus) -> [UInt8] {
    switch encoding {
    case .gzip:
      guard let message = Gzip.decompress(bytes, upTo: byteCountLimit) else {
        throw RPCStatus(.internal, "The message can't be decompressed.")
      }
      guard message.count <= byteCountLimit else { throw tooLong(message.count) }
      return message
    case .identity: throw RPCStatus(.internal, "A message is compressed without grpc-encoding.")
    case .unknown(let name):
      throw RPCStatus(.unimplemented, "Can't find decompressor for \(name)")
    }
  }

  private func tooLong(_ byteCount: Int) -> RPCStatus {
    RPCStatus(
      .resourceExhausted, "gRPC message exceeds maximum size \(byteCountLimit): \(byteCount)")
  }
}

extension ByteBuffer {
  /// Appends a message and its frame, uncompressed.
  mutating func writeFrame(_ message: [UInt8]) {
    reserveCapacity(minimumWritableBytes: 5 + message.count)
    writeInteger(0 as UInt8)
    writeInteger(UInt32(message.count))
    writeBytes(message)
  }
}
