import Hearth
package import HearthDocumentModel
import HearthProtocols
import SwiftProtobuf

extension AdministrationCalls {
  /// Returns one page of the operations of a database: those that run, and those that have ended
  /// since the server began.
  package func listOperations(
    _ request: Admin.ListOperationsRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.ListOperationsResponse {
    let id = try AdministrationName(request.name, .database).database()
    try checkNoFilter(request.filter)
    try await followBuilds(of: id, context)
    let page = try ListPage(
      of: operations.list(in: id), size: request.pageSize, after: request.pageToken, by: \.id)
    return Admin.ListOperationsResponse.with { response in
      response.operations = page.elements.map(\.message)
      response.nextPageToken = page.token
    }
  }

  /// Returns an operation, running or ended.
  ///
  /// - Throws: `invalidArgument` for a malformed name; `notFound`.
  package func getOperation(
    _ request: Admin.GetOperationRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.OperationMessage {
    try await operation(request.name, context).message
  }

  /// Cancels the build of an index, which drops the index. An operation that has ended stays as it
  /// is.
  package func cancelOperation(
    _ request: Admin.CancelOperationRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.Empty {
    let operation = try await operation(request.name, context)
    guard operation.isRunning else { return Admin.Empty() }
    guard let cancel = operation.cancel else {
      throw DatabaseError(
        .unimplemented, "Only the build of a composite index can be cancelled.")
    }
    try await cancel()
    return Admin.Empty()
  }

  /// Forgets an operation that has ended.
  package func deleteOperation(
    _ request: Admin.DeleteOperationRequest, _ context: CallContext
  ) async throws(DatabaseError) -> Admin.Empty {
    let operation = try await operation(request.name, context)
    guard !operation.isRunning else {
      throw DatabaseError(
        .failedPrecondition, "The operation is running. Only one that has ended can be deleted.")
    }
    operations.forget(operation)
    return Admin.Empty()
  }

  /// - Throws: `notFound`.
  private func operation(
    _ text: String, _ context: CallContext
  ) async throws(DatabaseError) -> OperationRecord {
    let name = try AdministrationName(text, .operation)
    let id = try name.database()
    if let known = operations[name.id, in: id] { return known }
    try await followBuilds(of: id, context)
    guard let begun = operations[name.id, in: id] else {
      throw DatabaseError(.notFound, "The operation \"\(text)\" does not exist.")
    }
    return begun
  }

  /// Follows the builds that no call has begun.
  private func followBuilds(
    of id: DatabaseID, _ context: CallContext
  ) async throws(DatabaseError) {
    guard databases.contains(id) else { return }
    try await operations.followBuilds(of: try await database(id, context), id)
  }
}
