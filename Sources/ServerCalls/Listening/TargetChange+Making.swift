import FoundationEssentials
import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

extension V1.ListenResponse {
  /// - Parameter error: the reason for which a target is removed.
  static func change(
    _ type: V1.TargetChange.TargetChangeType, of id: Int32, because error: DatabaseError? = nil
  ) -> V1.ListenResponse {
    .with { response in
      response.targetChange.targetChangeType = type
      response.targetChange.targetIds = [id]
      if let error { response.targetChange.cause = Google_Rpc_Status(error) }
    }
  }

  /// Makes the message that all of a state has been sent: for one target, or for all of the stream.
  static func consistent(
    _ id: Int32? = nil, with token: [UInt8], at readTime: Timestamp
  ) -> V1.ListenResponse {
    .with { response in
      if let id {
        response.targetChange.targetChangeType = .current
        response.targetChange.targetIds = [id]
      } else {
        response.targetChange.targetChangeType = .noChange
      }
      response.targetChange.resumeToken = Data(token)
      response.targetChange.readTime = readTime.message
    }
  }
}
