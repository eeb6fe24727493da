import Hearth
import HearthDocumentEngine
import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

/// A long-running operation as the server remembers it.
struct OperationRecord: Sendable {
  /// The matter of an operation.
  enum Subject: Sendable {
    /// The build of a composite index, which has a name.
    case index(String)
    /// The change of a field, without times and state.
    case field(Admin.FieldOperationMetadata)
    /// The creation or the removal of a database.
    case database(Google_Protobuf_Any?)
  }

  enum Outcome: Sendable {
    case running
    case succeeded(Google_Protobuf_Any?)
    case failed(DatabaseError)
  }

  let database: DatabaseID
  let id: String
  let subject: Subject
  /// The time at which it began; `nil` if that was before the server did.
  let start: Timestamp?
  var end: Timestamp?
  var progress = IndexAdministration.Progress(documentsDone: 0, documentsTotal: 0)
  var outcome = Outcome.running
  /// The function that cancels it; `nil` if it can't be cancelled.
  var cancel: (@Sendable () async throws(DatabaseError) -> Void)?
  /// The task that follows it.
  var follower: Task<Void, Never>?

  init(_ database: DatabaseID, id: String, _ subject: Subject, start: Timestamp?) {
    (self.database, self.id, self.subject, self.start) = (database, id, subject, start)
  }

  var isRunning: Bool {
    if case .running = outcome { true } else { false }
  }

  var message: Admin.OperationMessage {
    Admin.OperationMessage.with { operation in
      operation.name = "\(database)/operations/\(id)"
      if let metadata { operation.metadata = metadata }
      switch outcome {
      case .running: break
      case .succeeded(let response):
        operation.done = true
        if let response { operation.response = response }
      case .failed(let error):
        operation.done = true
        operation.error = Google_Rpc_Status(error)
      }
    }
  }

  private var metadata: Google_Protobuf_Any? {
    switch subject {
    case .index(let name):
      var metadata = Admin.IndexOperationMetadata()
      metadata.index = name
      metadata.state = state
      metadata.progressDocuments = progressMessage
      if let start { metadata.startTime = start.message }
      if let end { metadata.endTime = end.message }
      return try? Google_Protobuf_Any(message: metadata)
    case .field(var metadata):
      metadata.state = state
      metadata.progressDocuments = progressMessage
      if let start { metadata.startTime = start.message }
      if let end { metadata.endTime = end.message }
      return try? Google_Protobuf_Any(message: metadata)
    case .database(let metadata): return metadata
    }
  }

  private var progressMessage: Admin.ProgressMessage {
    Admin.ProgressMessage.with { message in
      message.estimatedWork = Int64(progress.documentsTotal)
      message.completedWork = Int64(progress.documentsDone)
    }
  }

  private var state: Admin.OperationState {
    switch outcome {
    case .running: .processing
    case .succeeded: .successful
    case .failed(let error): error.code == .cancelled ? .cancelled : .failed
    }
  }
}
