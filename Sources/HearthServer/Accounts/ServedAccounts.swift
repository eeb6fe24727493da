import Hearth
import HearthAccounts
import HearthDocumentModel

/// The accounts of a server. Their database is opened, and made, at the first request of sign-in.
final class ServedAccounts: Sendable {
  private let opening: SharedOpening
  private let mailer: CodeMailer?

  /// - Parameters:
  ///   - folder: the folder of the database; `nil` for memory.
  ///   - project: the project of the calls that name none.
  ///   - mailer: the way of codes to users, which ends with the accounts.
  ///   - now: the time, in milliseconds since 1970.
  init(
    in folder: String?, project: String, mode: AccountMode, mailer: CodeMailer? = nil,
    now: @escaping @Sendable () -> Int64
  ) {
    self.mailer = mailer
    opening = SharedOpening { () async throws(DatabaseError) in
      let database = try await ServedAccounts.open(folder)
      return (
        database, try await AccountService(database, project: project, mode: mode, now: now)
      )
    }
  }

  /// Answers a request.
  ///
  /// - Returns: `nil` for an address that none of sign-in's calls has.
  /// - Throws: the errors of opening the database.
  func answer(_ request: AccountRequest) async throws(DatabaseError) -> AccountAnswer? {
    guard AccountService.answers(request) else { return nil }
    return try await opening.value().service.answer(request)
  }

  /// Opens the database.
  ///
  /// - Returns: the service over it.
  /// - Throws: the errors of opening it.
  func service() async throws(DatabaseError) -> AccountService {
    try await opening.value().service
  }

  /// Closes the database, if it is open, once the mail that is being sent is on its way.
  func close() async {
    await mailer?.close()
    await opening.close()
  }

  private static func open(_ folder: String?) async throws(DatabaseError) -> Database {
    guard let folder else { return try Database.inMemory() }
    // The files have addresses and hashes of passwords.
    do {
      try SystemCalls.makePrivateFolder(folder)
    } catch {
      throw DatabaseError(
        .unavailable, "The folder \(folder) can't be made for its owner alone: \(error).",
        cause: error)
    }
    var options = Database.Options()
    // The accounts of a server are few beside its documents.
    options.shareCaches(16 << 20)
    return try await Database.open(at: folder, options: options)
  }
}

/// The accounts once they are open. All who ask at once wait for one opening; one that fails is
/// tried again.
private actor SharedOpening {
  typealias Opened = (database: Database, service: AccountService)

  private let open: @Sendable () async throws(DatabaseError) -> Opened
  private var opening: Task<Result<Opened, DatabaseError>, Never>?
  private var isClosed = false

  init(_ open: @escaping @Sendable () async throws(DatabaseError) -> Opened) {
    self.open = open
  }

  func value() async throws(DatabaseError) -> Opened {
    guard !isClosed else { throw DatabaseError(.unavailable, "The server is stopping.") }
    let task =
      opening
      ?? Task { [open] in
        do throws(DatabaseError) {
          return .success(try await open())
        } catch {
          return .failure(error)
        }
      }
    opening = task
    let result = await task.value
    if case .failure = result, opening == task { opening = nil }
    return try result.get()
  }

  func close() async {
    isClosed = true
    guard let opened = try? await opening?.value.get() else { return }
    try? await opened.database.close()
  }
}
