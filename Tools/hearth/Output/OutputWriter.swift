/// A writer to standard output or a file, in large pieces.
final class OutputWriter {
  private static let pieceByteCount = 64 * 1024

  private let file: FileDescriptor
  /// A pager for output that is longer than the terminal.
  private let pager: Pager?
  private var page: FileDescriptor?
  private var bytes: [UInt8] = []

  private init(_ file: FileDescriptor, _ pager: Pager?) {
    self.file = file
    self.pager = pager
  }

  /// Runs `body` with a writer on `file`. All appended bytes are written when it ends, also if it
  /// fails.
  ///
  /// - Parameter pager: a program that shows the output if it is longer than the terminal; `nil`
  ///   for none.
  static func withWriter<Result>(
    on file: FileDescriptor = .standardOutput, pager: Pager? = nil,
    _ body: (OutputWriter) throws -> Result
  ) throws -> Result {
    let writer = OutputWriter(file, pager)
    do {
      let result = try body(writer)
      try writer.end()
      return result
    } catch {
      // A reader that has seen enough takes no more.
      if !error.isBrokenPipe { try writer.end() }
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
    guard !bytes.isEmpty else { return }
    if page == nil, let pager { page = try pager.begin() }
    try write(to: page ?? file)
  }

  /// Writes what waits. An answer that the terminal shows at once needs no pager.
  private func end() throws {
    if page == nil, let pager, pager.needs(bytes) { page = try pager.begin() }
    try write(to: page ?? file)
    page = nil
  }

  private func write(to file: FileDescriptor) throws {
    let waiting = bytes
    bytes.removeAll(keepingCapacity: true)
    try file.write(waiting)
  }
}
