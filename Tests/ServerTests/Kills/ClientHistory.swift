import Foundation
import HearthProtocols
import SwiftProtobuf
import TestSupport

/// The commits of one client, which follow from its seed, and its documents after them. Each commit
/// writes several documents, so that half of one could be seen.
struct ClientHistory: Sendable {
  /// The fields of a document.
  struct Fields: Equatable, Sendable {
    let n: Int64
    /// The number of the commit: no two versions of a document are equal.
    let step: Int64
  }

  private static let documentCount = 5

  let client: Int
  /// The documents by their ids, which begin with the client's number.
  var documents: [String: Fields]
  private(set) var stepCount: Int64
  private var random: SplitMix64

  init(client: Int, seed: UInt64) {
    self.client = client
    documents = [:]
    stepCount = 0
    random = SplitMix64(seed: seed &+ UInt64(client))
  }

  /// Returns the client to which the document with an id belongs.
  static func client(of id: String) -> Int? {
    id.split(separator: "-").first.flatMap { Int($0) }
  }

  /// Makes the next commit, and applies it to the documents.
  mutating func next() -> Google_Firestore_V1_CommitRequest {
    stepCount += 1
    var request = Google_Firestore_V1_CommitRequest()
    request.database = KillCalls.database
    let numbers = (0..<ClientHistory.documentCount).shuffled(using: &random)
    for number in numbers.prefix(Int.random(in: 2...4, using: &random)) {
      let id = "\(client)-\(number)"
      let fields = Fields(n: .random(in: 0..<100, using: &random), step: stepCount)
      let padding = Int.random(in: 0...2_000, using: &random)
      documents[id] = random.oneIn(5) ? nil : fields
      request.writes.append(
        .with { write in
          let name = "\(KillCalls.collection)/\(id)"
          guard documents[id] != nil else { return write.delete = name }
          write.update.name = name
          write.update.fields = [
            .with { ($0.key, $0.value.integerValue) = ("n", fields.n) },
            .with { ($0.key, $0.value.integerValue) = ("step", fields.step) },
            .with { ($0.key, $0.value.bytesValue) = ("padding", .init(count: padding)) },
          ]
        })
    }
    return request
  }
}

extension ClientHistory.Fields {
  init(_ document: Google_Firestore_V1_Document) {
    func number(_ name: String) -> Int64 {
      document.fields.first { $0.key == name }?.value.integerValue ?? -1
    }
    self.init(n: number("n"), step: number("step"))
  }
}
