import FirestoreJSON
import Hearth

extension OutputOptions {
  /// Tells a program when the document that was written last changed; a person needs no word.
  func report(_ result: WriteResult, of path: ResourcePath) throws {
    guard json else { return }
    var line = JSONLine()
    line.append("path", .string(path.description))
    line.append("updateTime", .timestamp(result.updateTime))
    try OutputWriter.withWriter { try $0.print(line) }
  }
}
