import CZlib

/// An unpacker of gzip (RFC 1952): one or several members, one after the other.
package final class GzipInflater {
  /// The first two bytes of every member.
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

  /// Form of the packed bytes.
  package enum Form: Sendable {
    /// With gzip's header and checksum.
    case gzip
    /// Without a header, as in zip archives (RFC 1951).
    case bare

    /// Window of 32 KiB (15), with gzip's header and checksum (16), or negative for none.
    fileprivate var windowBits: Int32 { self == .gzip ? 15 + 16 : -15 }
  }

  // zlib's state points back at its stream, so the stream must stay at its address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var position = 0
  /// Whether the last chunk had no room for more bytes.
  private var isChunkFull = false
  /// Whether the unpacked input ends with a whole member.
  package private(set) var isBetweenMembers = true

  package init(_ form: Form = .gzip) throws(Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = inflateInit2_(
      stream, form.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw .outOfMemory
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Appends packed bytes to those that are not unpacked yet.
  package func append(_ bytes: [UInt8]) {
    if position == input.count {
      input = bytes
    } else {
      input.removeFirst(position)
      input += bytes
    }
    position = 0
  }

  /// Returns the next unpacked bytes, at least one; `nil` if more packed bytes are needed.
  package func next(atMost maximum: Int) throws(Failure) -> [UInt8]? {
    // Without a checksum at its end, all of the input may be taken while zlib holds bytes back.
    while position < input.count || isChunkFull {
      isBetweenMembers = false
      let (output, status) = inflate(atMost: maximum)
      isChunkFull = output.count == maximum && status == Z_OK
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
