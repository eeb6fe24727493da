import Foundation
import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthServerCalls
import SwiftProtobuf

/// A client of one database without a port between.
struct TransactionClient {
  static let name = "projects/demo-project/databases/(default)"

  let calls: DocumentCalls
  /// The credentials with which it calls.
  var credentials: String?
  /// The database that it calls.
  var database = name

  init(_ calls: DocumentCalls) {
    self.calls = calls
  }

  private var context: CallContext { CallContext(authorization: credentials) }

  private func path(_ id: String) -> String { "\(database)/documents/\(id)" }

  /// Begins a transaction, and returns its id.
  func begin(
    _ change: (inout Google_Firestore_V1_TransactionOptions) -> Void = { _ in }
  ) async throws -> Data {
    let request = Google_Firestore_V1_BeginTransactionRequest.with { request in
      request.database = database
      change(&request.options)
    }
    return try await calls.beginTransaction(request, context).transaction
  }

  /// Returns the number in a document; `nil` for a document that doesn't exist.
  func read(_ id: String, in transaction: Data) async throws -> Int64? {
    try await read(id) { $0.transaction = transaction }.number
  }

  /// Returns the number in a document, and the id of the transaction that the read has begun.
  func read(
    _ id: String, _ change: (inout Google_Firestore_V1_BatchGetDocumentsRequest) -> Void
  ) async throws -> (transaction: Data?, number: Int64?) {
    let request = Google_Firestore_V1_BatchGetDocumentsRequest.with { request in
      request.database = database
      request.documents = [path(id)]
      change(&request)
    }
    var answers: [Google_Firestore_V1_BatchGetDocumentsResponse] = []
    try await calls.batchGetDocuments(request, context) { answers.append($0) }
    let begun = answers.first?.transaction ?? Data()
    return (
      begun.isEmpty ? nil : begun, answers.last?.found.fields.first?.value.integerValue
    )
  }

  /// Sets the number in a document.
  func write(_ id: String, _ number: Int64, in transaction: Data = Data()) async throws {
    try await commit(transaction) { request in
      request.writes = [
        .with { write in
          write.update.name = path(id)
          write.update.fields = [
            .with { field in
              field.key = "n"
              field.value.integerValue = number
            }
          ]
        }
      ]
    }
  }

  func commit(
    _ transaction: Data,
    _ change: (inout Google_Firestore_V1_CommitRequest) -> Void = { _ in }
  ) async throws {
    let request = Google_Firestore_V1_CommitRequest.with { request in
      request.database = database
      request.transaction = transaction
      change(&request)
    }
    _ = try await calls.commit(request, context)
  }

  func rollback(_ transaction: Data) async throws {
    let request = Google_Firestore_V1_RollbackRequest.with { request in
      request.database = database
      request.transaction = transaction
    }
    _ = try await calls.rollback(request, context)
  }
}
