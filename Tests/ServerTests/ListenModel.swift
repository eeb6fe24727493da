import Foundation
import HearthProtocols
import SwiftProtobuf

/// The client of a stream of `Listen`, as Google's clients apply its messages (W§4).
struct ListenModel {
  typealias Response = Google_Firestore_V1_ListenResponse

  struct Target {
    /// The documents of its result by their names.
    var documents: [String: Google_Firestore_V1_Document] = [:]
    /// Whether the server knows it.
    var isAdded = false
    /// Whether it has had a whole result on this stream.
    var isCurrent = false
  }

  private(set) var targets: [Int32: Target] = [:]
  /// Each target as it was when it got its token.
  private var consistent: [Int32: Target] = [:]
  /// The token of each target: that of the last consistent moment at which it was current. Others
  /// that wait for their first result on a stream keep their earlier one.
  private var tokens: [Int32: Data] = [:]
  private(set) var readTime = Google_Protobuf_Timestamp()
  private(set) var resetCount = 0
  /// The newest versions that came, by the names of documents; those of removed ones, too.
  private var versions: [String: Google_Protobuf_Timestamp] = [:]
  /// Rules that the server broke.
  private(set) var faults: [String] = []

  /// Returns the token from which a target goes on; an empty one for a new target.
  func token(of id: Int32) -> Data { tokens[id] ?? Data() }

  mutating func add(_ id: Int32) { targets[id] = Target() }

  mutating func remove(_ id: Int32) {
    targets[id] = nil
    consistent[id] = nil
    tokens[id] = nil
  }

  /// Begins another stream. The documents of each target are those of its token.
  mutating func reconnect() {
    for id in targets.keys {
      targets[id]?.documents = consistent[id]?.documents ?? [:]
      targets[id]?.isAdded = false
      targets[id]?.isCurrent = false
    }
    resetCount = 0
  }

  /// Applies a message.
  ///
  /// - Returns: whether all targets are consistent now.
  mutating func apply(_ response: Response) -> Bool {
    switch response.responseType {
    case .targetChange(let change)?: return apply(change)
    case .documentChange(let change)?:
      for id in change.targetIds { put(change.document, id) }
      for id in change.removedTargetIds { forget(change.document.name, id) }
    case .documentDelete(let delete)?:
      for id in delete.removedTargetIds { forget(delete.document, id) }
    default: faults.append("An unexpected message: \(response)")
    }
    return false
  }

  private mutating func put(_ document: Google_Firestore_V1_Document, _ id: Int32) {
    guard let target = targets[id] else { return }
    if !target.isAdded { faults.append("A document before ADD \(id)") }
    if let known = target.documents[document.name], known.updateTime == document.updateTime {
      faults.append("\(document.name) again, unchanged, for \(id)")
    }
    let (newest, version) = (versions[document.name], document.updateTime)
    if let newest, (version.seconds, version.nanos) < (newest.seconds, newest.nanos) {
      faults.append("\(document.name) went back to an older version for \(id)")
    }
    versions[document.name] = version
    targets[id]?.documents[document.name] = document
  }

  private mutating func forget(_ name: String, _ id: Int32) {
    if targets[id]?.isAdded == false { faults.append("A removal before ADD \(id)") }
    targets[id]?.documents[name] = nil
  }

  private mutating func apply(_ change: Google_Firestore_V1_TargetChange) -> Bool {
    switch change.targetChangeType {
    case .add:
      for id in change.targetIds { targets[id]?.isAdded = true }
    case .reset:
      resetCount += 1
      for id in change.targetIds { targets[id]?.documents = [:] }
    case .current:
      for id in change.targetIds { targets[id]?.isCurrent = true }
    case .noChange where change.targetIds.isEmpty && change.hasReadTime:
      if change.resumeToken.isEmpty { faults.append("A snapshot without a token") }
      let time = change.readTime
      if (time.seconds, time.nanos) < (readTime.seconds, readTime.nanos) {
        faults.append("Read times went back")
      }
      if targets.values.contains(where: { $0.isAdded && !$0.isCurrent }) {
        faults.append("A snapshot before CURRENT of a target")
      }
      readTime = time
      for (id, target) in targets where target.isCurrent {
        (tokens[id], consistent[id]) = (change.resumeToken, target)
      }
      return true
    case .remove: break
    default: faults.append("An unexpected change: \(change)")
    }
    return false
  }
}
