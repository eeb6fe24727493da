/// A reader of lines that skips blank ones.
struct InputLines {
  private var bytes: InputBytes
  /// Number of the last line that was read, counted from 1.
  private(set) var number = 0

  init(_ bytes: InputBytes) {
    self.bytes = bytes
  }

  var source: ByteSource { bytes.source }

  /// Skips the rest of a line that is too long.
  mutating func finish() throws(InputError) { try bytes.finishLine() }

  /// Reads the next line into `line`, without blanks at its end; `false` at the end.
  mutating func next(into line: inout [UInt8]) throws(InputError) -> Bool {
    while try bytes.peek() != nil {
      number = bytes.line
      line.removeAll(keepingCapacity: true)
      try bytes.append(to: &line) { $0 != .newline }
      _ = try bytes.next()
      while let last = line.last, last.isBlank { line.removeLast() }
      if !line.isEmpty { return true }
    }
    return false
  }
}
