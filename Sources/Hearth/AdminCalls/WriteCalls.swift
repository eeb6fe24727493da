package import HearthAdminSocket
import HearthDocumentEngine
package import HearthDocumentModel
import HearthFirestoreJSON
import HearthReports

/// Applies writes in one durable commit, all of them or none.
package struct CommitCall: AnsweredCall {
  package static let name = "commit"
  package static var writesDocuments: Bool { true }

  private let writes: Writes

  package struct Answer: Codable, Sendable {
    /// The results, one for each write.
    package var results: [WriteResult] { list.elements.map(\.result) }
    package let commitTime: Timestamp
    private let list: AdminList<WriteResultMessage>

    private enum CodingKeys: String, CodingKey {
      case commitTime
      case list = "results"
    }

    init(_ results: [WriteResult], commitTime: Timestamp) {
      list = AdminList(results.map(WriteResultMessage.init))
      self.commitTime = commitTime
    }
  }

  package init(_ writes: [Write]) {
    self.writes = Writes(list: writes)
  }

  package func answer(from database: Database) throws -> Answer {
    let result = try database.commitRequest(writes.list)
    return Answer(result.writeResults, commitTime: result.commitTime)
  }
}

/// Applies each write or refuses it, independently of the others.
package struct BatchWriteCall: AnsweredCall {
  package static let name = "batch write"
  package static var writesDocuments: Bool { true }

  private let writes: Writes

  package struct Answer: Codable, Sendable {
    private let outcomes: [Outcome]

    private struct Outcome: Codable {
      let result: WriteResultMessage?
      let error: ReportedError?
    }

    /// The result or the refusal of each write.
    package var results: [Result<WriteResult, DatabaseError>] {
      outcomes.map { outcome in
        if let result = outcome.result { return .success(result.result) }
        return .failure(outcome.error?.error ?? DatabaseError(.unknown, "A write has no result."))
      }
    }

    init(_ results: [Result<WriteResult, DatabaseError>]) {
      outcomes = results.map { result in
        switch result {
        case .success(let result): Outcome(result: WriteResultMessage(result), error: nil)
        case .failure(let error): Outcome(result: nil, error: ReportedError(error))
        }
      }
    }
  }

  package init(_ writes: [Write]) {
    self.writes = Writes(list: writes)
  }

  package func answer(from database: Database) throws -> Answer {
    Answer(try database.batchWrite(writes.list))
  }
}

/// Deletes the document or collection at a path with everything below it, in many commits. The
/// items are the numbers of documents deleted so far.
package struct RecursiveDeleteCall: FollowedCall {
  package typealias Item = AdminCount
  package typealias Answer = AdminCount
  package static let name = "recursive delete"
  package static var writesDocuments: Bool { true }

  private let place: NamedPlace

  package init(_ path: ResourcePath) {
    place = NamedPlace(path: path)
  }

  package func run(on database: Database, progress: (AdminCount) -> Void) throws -> AdminCount {
    AdminCount(
      try database.recursiveDelete(place.path.description) { progress(AdminCount($0)) })
  }
}

/// Writes, as messages have them: in the form of Firestore's REST interface, which loses nothing.
/// Their names name no particular database: a call is on one database.
private struct Writes: AdminLeaf, Sendable {
  let list: [Write]

  init(list: [Write]) {
    self.list = list
  }

  init(json: JSONValue) throws(DatabaseError) { list = try TypedJSON.writes(json) }

  func appendJSON(to bytes: inout [UInt8]) { TypedJSON.append(list, in: .default, to: &bytes) }
}

/// The result of a write, as messages have it.
private struct WriteResultMessage: Codable {
  let updateTime: Timestamp
  let transformResults: [Value]

  init(_ result: WriteResult) {
    updateTime = result.updateTime
    transformResults = result.transformResults
  }

  var result: WriteResult {
    WriteResult(updateTime: updateTime, transformResults: transformResults)
  }
}
