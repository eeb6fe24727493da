/// The bytes of a source one after the other, with the number of their line.
///
/// A byte order mark at the start is skipped.
package struct InputBytes {
  /// Length of the longest record that is read. It is far more than a document of 1 MiB can need as
  /// text, and bounds the memory for a file without line ends.
  package static let recordByteCount = 16 * 1024 * 1024

  package let source: ByteSource
  /// Number of the next byte's line, counted from 1.
  package private(set) var line = 1
  private var chunk: [UInt8] = []
  private var position = 0
  /// Whether the chunk before ended with a newline, or there was none.
  private var chunkStartsLine = true
  /// Whether the bytes of the present record are kept in ``record``.
  package var keepsRecord = false
  /// The bytes taken since `beginRecord()`, if they are kept.
  package private(set) var record: [UInt8] = []

  /// Reads the first bytes of `source`.
  ///
  /// - Throws: the errors of ``ByteSource/next()``; `malformed` for UTF-16.
  package init(_ source: ByteSource) throws(InputError) {
    self.source = source
    // A pipe may deliver the three bytes of the mark one by one.
    while chunk.count < 3, let more = try source.next() { chunk += more }
    if chunk.starts(with: [0xff, 0xfe]) || chunk.starts(with: [0xfe, 0xff]) {
      throw InputError(
        .malformed, in: source.name, "this is UTF-16",
        advice: "Convert it: iconv -f UTF-16 -t UTF-8")
    }
    if chunk.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  /// Returns the next byte without consuming it; `nil` at the end.
  package mutating func peek() throws(InputError) -> UInt8? {
    if position == chunk.count {
      guard let more = try source.next() else { return nil }
      if let last = chunk.last { chunkStartsLine = last == .newline }
      chunk = more
      position = 0
    }
    return chunk[position]
  }

  /// Returns the next byte; `nil` at the end.
  package mutating func next() throws(InputError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    if byte == .newline { line += 1 }
    if keepsRecord { record.append(byte) }
    return byte
  }

  /// Begins a new record at the next byte.
  package mutating func beginRecord() { record.removeAll(keepingCapacity: true) }

  /// Skips the rest of a line that has begun.
  package mutating func finishLine() throws(InputError) {
    while !(position > 0 ? chunk[position - 1] == .newline : chunkStartsLine) {
      guard try next() != nil else { return }
    }
  }

  /// Appends the next bytes to `record`, up to the first for which `condition` is false.
  ///
  /// - Throws: `malformed` for a record of more than ``recordByteCount`` bytes.
  @inline(__always)
  package mutating func append(
    to record: inout [UInt8], while condition: (UInt8) -> Bool
  ) throws(InputError) {
    while try peek() != nil {
      let start = position
      while position < chunk.count, condition(chunk[position]) {
        if chunk[position] == .newline { line += 1 }
        position += 1
      }
      record.append(contentsOf: chunk[start..<position])
      if keepsRecord { self.record.append(contentsOf: chunk[start..<position]) }
      try checkLength(of: record)
      if position < chunk.count { return }
    }
  }

  private func checkLength(of record: [UInt8]) throws(InputError) {
    guard record.count > InputBytes.recordByteCount else { return }
    throw InputError(
      .malformed, in: source.name, line: line,
      "the record is longer than \(InputBytes.recordByteCount >> 20) MiB",
      advice: "A document holds at most 1 MiB; see whether the format is right (--format)")
  }

  /// Skips spaces, tabs and line ends.
  package mutating func skipBlanks() throws(InputError) {
    while let byte = try peek(), byte.isBlank { _ = try next() }
  }

  /// The part of the current line that is already read, without consuming it.
  package var lookahead: ArraySlice<UInt8> { chunk[position...].prefix { $0 != .newline } }
}

extension UInt8 {
  package static let newline = UInt8(ascii: "\n")
  package static let carriageReturn = UInt8(ascii: "\r")
  package static let quote = UInt8(ascii: "\"")
  package static let backslash = UInt8(ascii: "\\")
  package static let comma = UInt8(ascii: ",")
  package static let tab = UInt8(ascii: "\t")

  /// Whether the byte is a space, a tab or part of a line end.
  package var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
