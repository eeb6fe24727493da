package import HearthDocumentModel
package import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

extension Google_Rpc_Status {
  /// The status of a call that ended with `error`: code, text, and details that a program can read.
  ///
  /// A query without its index has two details: `Help` with the command that creates the index here
  /// and the link that does so in the console, and `ErrorInfo`. No client shows them as the
  /// message.
  package init(_ error: DatabaseError) {
    self.init()
    let error = error.forClient
    code = Int32(error.code.rawValue)
    message = error.message
    guard let missing = error.missingIndex else { return }
    let info = Google_Rpc_ErrorInfo.with { info in
      info.reason = missing.isBuilding ? "INDEX_BUILDING" : "MISSING_INDEX"
      info.domain = "firestore.googleapis.com"
      info.metadata["collectionGroup"] = missing.index.collectionGroup
    }
    let help = missing.isBuilding ? nil : Google_Rpc_Help(creatingIndexIn: error.message)
    let messages: [(any Message)?] = [help, info]
    details = messages.compactMap { $0 }.compactMap { try? Google_Protobuf_Any(message: $0) }
  }
}

extension Google_Rpc_Help {
  /// The command that creates the index of a refusal, made from the refusal's own text: the tool
  /// takes the link, or the `gcloud` command for a vector, as it is.
  fileprivate init?(creatingIndexIn text: String) {
    self.init()
    var link = Google_Rpc_Help.Link()
    if let range = text.firstRange(of: "https://console.firebase.google.com/") {
      link.url = String(text[range.lowerBound...].prefix { !$0.isWhitespace })
      link.description_p = "hearth index create '\(link.url)'"
    } else if let range = text.firstRange(of: "gcloud firestore indexes") {
      link.description_p = "hearth index create \(text[range.lowerBound...])"
    } else {
      return nil
    }
    links = [link]
  }
}
