import Hearth
import Testing
import hearth

/// Returns bytes as an input, delivered in chunks of `chunkByteCount`.
func source(
  _ bytes: [UInt8], name: String = "input", chunkByteCount: Int = ByteSource.chunkByteCount
) -> ByteSource {
  ByteSource(name: name, bytes: bytes, chunkByteCount: chunkByteCount)
}

func input(_ text: String, name: String = "input", chunkByteCount: Int = 64) throws -> InputBytes {
  try InputBytes(source(Array(text.utf8), name: name, chunkByteCount: chunkByteCount))
}

let converter = ValueConverter(types: [], database: .default)

/// Returns all records, each as its line and its fields.
func records(_ reader: any RecordReader) throws -> [(line: Int, fields: MapValue)] {
  var reader = reader
  var records: [(line: Int, fields: MapValue)] = []
  while let record = try reader.next() { records.append((record.line, record.fields)) }
  return records
}

/// Returns the message of the error that `body` throws, or a note that it threw none.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "(no error)"
  } catch {
    return "\(error)"
  }
}
