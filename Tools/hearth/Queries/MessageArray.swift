/// A writer of a streaming method's answer: a JSON array, one message per line.
struct MessageArray {
  private let writer: OutputWriter
  private var isEmpty = true

  init(_ writer: OutputWriter) {
    self.writer = writer
  }

  mutating func append(_ message: [UInt8]) throws {
    let opening = isEmpty ? "[" : ",\n"
    isEmpty = false
    try writer.append { bytes in
      bytes.append(contentsOf: opening.utf8)
      bytes.append(contentsOf: message)
    }
  }

  func end() throws {
    try writer.append(isEmpty ? "[]\n" : "]\n")
  }
}
