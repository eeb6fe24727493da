import Hearth

/// A file that a command writes as a whole, beside its output.
struct OutputFile {
  let path: String

  /// Writes all of `bytes`.
  ///
  /// - Throws: ``ToolFailure``, which names the file.
  func write(_ bytes: some Collection<UInt8>) throws(ToolFailure) {
    do throws(FileDescriptor.Failure) {
      try FileDescriptor(writing: path).write(bytes)
    } catch {
      throw ToolFailure(writing: path, error)
    }
  }
}
