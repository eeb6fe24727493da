/// A writer to standard output or a file, in large pieces.
final class OutputWriter {
  private static let pieceByteCount = 64 * 1024

  private let file: FileDescriptor
  private var bytes: [UInt8] = []

  private init(_ file: FileDescriptor) {
    self.file = file
  }

  /// Runs `body` with a writer on `file`. All appended bytes are written when it ends, also if it
  /// fails.
  static func withWriter<Result>(
    on file: FileDescriptor = .standardOutput, _ body: (OutputWriter) throws -> Result
  ) throws -> Result {
    let writer = OutputWriter(file)
    do {
      let result = try body(writer)
      try writer.flush()
      return result
    } catch {
      try writer.flush()
      throw error
    }
  }

  func append(_ text: String) throws {
    try append { $0.append(contentsOf: text.utf8) }
  }

  /// Adds the bytes that `body` appends to the bytes that wait.
  func append(_ body: (inout [UInt8]) -> Void) throws {
    body(&bytes)
    if bytes.count >= OutputWriter.pieceByteCount { try flush() }
  }

  /// Appends a text and a line end.
  func print(_ text: String) throws {
    try append(text + "\n")
  }

  func print(_ object: JSONLine) throws {
    try append { bytes in
      object.appendJSON(to: &bytes)
      bytes.append(.newline)
    }
  }

  func flush() throws {
    let waiting = bytes
    bytes.removeAll(keepingCapacity: true)
    try file.write(waiting)
  }
}
