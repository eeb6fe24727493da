import Hearth

/// The records that an import leaves out, with the reasons.
///
/// A file takes each as a JSON object on its own line; without one, the first reasons are kept.
final class Rejects {
  /// Number of reasons that are shown without a file.
  private static let shownCount = 5

  private(set) var count = 0
  /// The first reasons, if there is no file.
  private(set) var reasons: [String] = []
  let path: String?
  private let file: FileDescriptor?

  /// - Parameter path: the file to write; `nil` for none.
  /// - Throws: ``ToolFailure`` if it can't be written.
  init(path: String?) throws(ToolFailure) {
    self.path = path
    do throws(FileDescriptor.Failure) {
      file = try path.map { path throws(FileDescriptor.Failure) in
        try FileDescriptor(writing: path)
      }
    } catch {
      throw ToolFailure(writing: path ?? "", error)
    }
  }

  /// Adds a record. It is in the file at once, so that an import that is broken off keeps it.
  func add(_ error: InputError, record: [UInt8]) throws {
    count += 1
    guard let file else {
      if reasons.count < Rejects.shownCount { reasons.append(error.description) }
      return
    }
    var text = record[...]
    while let last = text.last, last.isBlank { text.removeLast() }
    let line: JSONLine = [
      "line": error.line, "element": error.element, "field": error.field,
      "reason": error.problem, "record": String(decoding: text, as: UTF8.self),
    ]
    try file.write((line.text + "\n").utf8)
  }
}
