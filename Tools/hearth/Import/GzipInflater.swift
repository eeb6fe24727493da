import CZlib

/// Unpacks gzip (RFC 1952): one or several members, one after the other.
package final class GzipInflater {
  /// The two bytes that every member begins with.
  package static let magic: [UInt8] = [0x1f, 0x8b]

  package enum Failure: Error, Sendable, CustomStringConvertible {
    case damaged(String)
    case truncated
    case outOfMemory

    package var description: String {
      switch self {
      case .damaged(let reason): "the gzipped bytes are damaged: \(reason)"
      case .truncated: "the gzipped bytes end too early"
      case .outOfMemory: "there is no memory to unpack the gzipped bytes"
      }
    }
  }

  /// Window of 32 KiB (15), gzip's header and checksum only (16).
  private static let windowBits: Int32 = 15 + 16

  // zlib's state points back at its stream, which must therefore stay where it is.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var position = 0
  /// Whether the input is used up as far as whole members go.
  package private(set) var isBetweenMembers = true

  package init() throws(Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = inflateInit2_(
      stream, GzipInflater.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw .outOfMemory
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Adds packed bytes behind those that were not unpacked yet.
  package func append(_ bytes: [UInt8]) {
    if position == input.count {
      input = bytes
    } else {
      input.removeFirst(position)
      input += bytes
    }
    position = 0
  }

  /// The next unpacked bytes, at least one; `nil` where more packed bytes are needed.
  package func next(atMost maximum: Int) throws(Failure) -> [UInt8]? {
    // What zlib holds back when a chunk is full needs no call of its own: the member's checksum
    // is still to be read behind it.
    while position < input.count {
      isBetweenMembers = false
      let (output, status) = inflate(atMost: maximum)
      switch status {
      case Z_STREAM_END:
        isBetweenMembers = true
        inflateReset(stream)
      case Z_OK, Z_BUF_ERROR: break
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "code \(status)")
      }
      if !output.isEmpty { return output }
    }
    return nil
  }

  private func inflate(atMost maximum: Int) -> (output: [UInt8], status: Int32) {
    var status = Z_OK
    let available = input.count - position
    let output = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress.map { $0 + position }
        stream.pointee.avail_in = UInt32(available)
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = UInt32(maximum)
        status = CZlib.inflate(stream, Z_NO_FLUSH)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
      }
      count = maximum - Int(stream.pointee.avail_out)
    }
    position += available - Int(stream.pointee.avail_in)
    return (output, status)
  }
}
