import HearthFirestoreJSON
import Hearth

extension OutputOptions {
  /// Reports the time of the document's last change to a program. A person gets no message.
  func report(_ result: WriteResult, of path: ResourcePath) throws {
    guard json else { return }
    let line: JSONLine = ["path": path.description, "updateTime": result.updateTime]
    try OutputWriter.withWriter { try $0.print(line) }
  }
}
