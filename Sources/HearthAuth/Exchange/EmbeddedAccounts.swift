package import Hearth
package import HearthAccounts
package import HearthFirestoreJSON
import Synchronization

/// Accounts in a database of the process.
package final class EmbeddedAccounts: AccountsBackend {
  private typealias Preparation = Task<AccountService, any Error>

  package let key = "embedded"
  package let project: String?
  private let prepare: @Sendable () async throws -> AccountService
  /// The service, which all who ask at once wait for; `nil` before the first request.
  private let preparation = Mutex<Preparation?>(nil)

  package init(
    _ database: Database, project: String, mode: AccountMode = .unsigned()
  ) {
    self.project = project
    prepare = { try await AccountService(database, project: project, mode: mode) }
  }

  package var name: String { "embedded \(project ?? "")" }

  package func answer(
    _ request: AccountsRequest
  ) async throws(AuthFailure) -> (status: Int, json: JSONValue) {
    let service = try await service()
    let answer = await service.answer(
      AccountRequest(
        request.method, request.target, authorization: request.authorization,
        json: request.json))
    guard let answer else {
      throw AuthFailure(.internalError, "The accounts don't know the call \(request.target).")
    }
    return (answer.status, answer.json)
  }

  private func service() async throws(AuthFailure) -> AccountService {
    let task = preparation.withLock { preparation in
      let task = preparation ?? Task { [prepare] in try await prepare() }
      preparation = task
      return task
    }
    do {
      return try await task.value
    } catch {
      // The next call tries again.
      preparation.withLock { if $0 == task { $0 = nil } }
      throw AuthFailure(
        .internalError, "The database of the accounts can't be used: \(error)", cause: error)
    }
  }
}
