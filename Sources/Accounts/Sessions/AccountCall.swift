/// A request whose address and caller are known.
struct AccountCall: Sendable {
  let services: AccountServices
  let project: String
  let fields: RequestFields
  /// The parameters of the address.
  let parameters: FormFields
  let isAdministrator: Bool
  /// The address by which the client has reached the server.
  let origin: String
  /// The address of the client; `nil` for one in the process.
  let clientAddress: String?
  /// Milliseconds since 1970.
  let now: Int64

  var store: AccountStore { services.store }
  var mode: AccountMode { services.mode }

  /// Changes the accounts of the call's project in one transaction.
  func change<Result: Sendable>(
    _ body: @escaping @Sendable (AccountTransaction) throws(AccountError) -> Result
  ) async throws(AccountError) -> Result {
    try await store.change(project, body)
  }

  /// Reads the accounts of the call's project.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (AccountTransaction) throws(AccountError) -> Result
  ) async throws(AccountError) -> Result {
    try await store.read(project, body)
  }

  /// Returns the same call with other fields.
  func with(_ fields: RequestFields) -> AccountCall {
    AccountCall(
      services: services, project: project, fields: fields, parameters: parameters,
      isAdministrator: isAdministrator, origin: origin, clientAddress: clientAddress, now: now)
  }

  /// Refuses callers who are no administrators.
  ///
  /// - Throws: `INSUFFICIENT_PERMISSION`.
  func needsAdministrator() throws(AccountError) {
    guard isAdministrator else { throw .notAdministrator }
  }
}
