import HearthFirestoreJSON
import Hearth

extension OutputOptions {
  /// Reports the time of the document's last change to a program. A person gets no message.
  func report(_ result: WriteResult, of path: ResourcePath) throws {
    guard json else { return }
    var line = JSONLine()
    line.append("path", .string(path.description))
    line.append("updateTime", .timestamp(result.updateTime))
    try OutputWriter.withWriter { try $0.print(line) }
  }
}
