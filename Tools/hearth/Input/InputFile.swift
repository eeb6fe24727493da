import Hearth

/// A file of one text, such as a request, or standard input.
struct InputFile {
  /// The path of the file, or `-` for standard input.
  let path: String

  /// Returns all bytes of the file, unpacked if it is gzipped.
  func bytes() throws(InputError) -> [UInt8] {
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    while let chunk = try source.next() {
      bytes += chunk
      guard bytes.count <= InputBytes.recordByteCount else {
        throw InputError(
          .malformed, in: source.name,
          "it is longer than \(InputBytes.recordByteCount >> 20) MiB",
          advice: "A document holds at most 1 MiB, a request at most 10 MiB")
      }
    }
    return bytes
  }

  /// Returns all bytes, and refuses a file of blanks only.
  func text() throws -> [UInt8] {
    let bytes = try bytes()
    guard bytes.contains(where: { !$0.isBlank && $0 != .newline }) else {
      let name = path.utf8Equal("-") ? "standard input" : path
      throw ToolFailure.badInput("\(name) is empty.")
    }
    return bytes
  }

  /// Returns the result of `read` for the file's bytes.
  ///
  /// - Throws: ``ToolFailure`` if `read` refuses them.
  func read<Result>(
    _ read: ([UInt8]) throws(DatabaseError) -> Result
  ) throws -> Result {
    let bytes = try text()
    do throws(DatabaseError) {
      return try read(bytes)
    } catch {
      throw ToolFailure(ExitStatus(error), error.code, error.message)
    }
  }
}
