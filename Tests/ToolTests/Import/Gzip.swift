import CZlib
import Foundation
import Testing

/// Returns `bytes` as one gzip member.
func gzip(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, windowBits: 15 + 16) }

/// Returns `bytes` packed without a header, as in zip archives.
func bareDeflated(_ bytes: [UInt8]) -> [UInt8] { deflated(bytes, windowBits: -15) }

/// Packs bytes in the format that zlib chooses by `windowBits`.
private func deflated(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
  var stream = z_stream()
  let status = deflateInit2_(
    &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  #expect(status == Z_OK)
  defer { deflateEnd(&stream) }
  var input = bytes
  let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
  return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(capacity)
      #expect(deflate(&stream, Z_FINISH) == Z_STREAM_END)
    }
    count = Int(stream.total_out)
  }
}
