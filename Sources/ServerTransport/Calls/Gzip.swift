import CZlib

/// The compression that gRPC's clients may choose for their messages.
enum Gzip {
  /// Window of 32 KiB, and the header of gzip.
  private static let windowBits: Int32 = 15 + 16

  /// Returns the content of a gzip stream; `nil` if it isn't one, or is cut off.
  ///
  /// - Parameter byteCountLimit: bound of the content. Of longer content one byte more is returned.
  static func decompress(_ bytes: [UInt8], upTo byteCountLimit: Int) -> [UInt8]? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      return content(of: &stream, upTo: byteCountLimit)
    }
  }

  private static func content(of stream: inout z_stream, upTo byteCountLimit: Int) -> [UInt8]? {
    var content: [UInt8] = []
    while content.count <= byteCountLimit {
      let room = min(byteCountLimit + 1 - content.count, 64 << 10)
      var status = Z_OK
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(room)
        status = inflate(&stream, Z_NO_FLUSH)
        count = room - Int(stream.avail_out)
      }
      content += chunk
      if status == Z_STREAM_END { return content }
      guard status == Z_OK, !chunk.isEmpty else { return nil }
    }
    return content
  }
}
