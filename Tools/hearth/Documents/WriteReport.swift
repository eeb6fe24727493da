import HearthFirestoreJSON
import Hearth

extension OutputOptions {
  /// Reports the time of the document's last change to a program. A person gets no message.
  func report(_ answer: CommitCall.Answer, of path: ResourcePath) throws {
    guard json, let result = answer.results.first else { return }
    let line: JSONLine = ["path": path.description, "updateTime": result.updateTime]
    try OutputWriter.withWriter { try $0.print(line) }
  }
}
