package import Hearth
import HearthDocumentModel

/// The accounts of all projects of a server, in a database of their own, which no rules judge and
/// no client of Firestore reaches.
///
/// A user and its entries under its address, number and identities change in one transaction, so
/// that of several simultaneous claims to one of them a single one wins.
package struct AccountStore: Sendable {
  let database: Database
  private let settings: SettingSources

  /// - Parameter settings: the sources of the switches of each project.
  package init(_ database: Database, settings: SettingSources) {
    self.database = database
    self.settings = settings
  }

  /// Gives the database its indexes: of an account only the fields that lists are sorted by have
  /// some, and records of secrets expire by themselves.
  ///
  /// - Throws: the errors of the database.
  package func prepare() async throws(DatabaseError) {
    let plan = try await database.indexes.plan(for: try IndexFile(text: AccountStore.indexes))
    guard !plan.steps.isEmpty else { return }
    try await database.indexes.apply(plan, waits: true)
  }

  private static let indexes: String = {
    let kinds = StoredKind.allCases.map { kind in
      #"{"collectionGroup": "\#(kind.rawValue)", "fieldPath": "*", "indexes": []}"#
    }
    let sorted = ["createdAt", "lastLoginAt", "displayName", "email"].map { field in
      #"{"collectionGroup": "users", "fieldPath": "\#(field)", "indexes": ["#
        + #"{"order": "ASCENDING", "queryScope": "COLLECTION"}, "#
        + #"{"order": "DESCENDING", "queryScope": "COLLECTION"}]}"#
    }
    let expiring = ["codes", "latestCodes", "pendingTokens", "nonces"].map { kind in
      #"{"collectionGroup": "\#(kind)", "fieldPath": "removal", "ttl": true, "indexes": []}"#
    }
    let overrides = (kinds + sorted + expiring).joined(separator: ",")
    return #"{"indexes": [], "fieldOverrides": [\#(overrides)]}"#
  }()

  /// Changes the accounts of a project in one transaction.
  ///
  /// - Parameter body: a closure that does nothing that may not be repeated: it runs again after a
  ///   conflict. An error that it throws leaves everything as it was.
  /// - Throws: the errors of `body`; one with status 503 or 500 if the database can't do it.
  func change<Result: Sendable>(
    _ project: String,
    _ body: @escaping @Sendable (AccountTransaction) throws(AccountError) -> Result
  ) async throws(AccountError) -> Result {
    try await run(project, TransactionOptions(), body)
  }

  /// Reads the accounts of a project as they are at one moment.
  ///
  /// - Throws: as `change`.
  func read<Result: Sendable>(
    _ project: String,
    _ body: @escaping @Sendable (AccountTransaction) throws(AccountError) -> Result
  ) async throws(AccountError) -> Result {
    try await run(project, .readOnly(), body)
  }

  /// Reads the accounts of a project on the present thread, which may wait for the disk.
  ///
  /// - Throws: as `change`.
  func readAtOnce<Result: Sendable>(
    _ project: String,
    _ body: @escaping @Sendable (AccountTransaction) throws(AccountError) -> Result
  ) throws(AccountError) -> Result {
    do {
      return try database.runTransaction(.readOnly(), attempt(project, body))
    } catch {
      throw AccountStore.accountError(error)
    }
  }

  private func run<Result: Sendable>(
    _ project: String, _ options: TransactionOptions,
    _ body: @escaping @Sendable (AccountTransaction) throws(AccountError) -> Result
  ) async throws(AccountError) -> Result {
    do {
      return try await database.runTransaction(options, attempt(project, body))
    } catch {
      throw AccountStore.accountError(error)
    }
  }

  private func attempt<Result: Sendable>(
    _ project: String,
    _ body: @escaping @Sendable (AccountTransaction) throws(AccountError) -> Result
  ) -> @Sendable (Transaction) throws -> Result {
    { [database, settings] transaction in
      let accounts = AccountTransaction(
        transaction, of: project, in: database, settings: settings)
      let result = try body(accounts)
      try accounts.applyWrites()
      return result
    }
  }

  private static func accountError(_ error: any Error) -> AccountError {
    switch error {
    case let error as AccountError: error
    case let error as DatabaseError: AccountError(error)
    default: AccountError(status: 503, "The request was cancelled.")
    }
  }
}
