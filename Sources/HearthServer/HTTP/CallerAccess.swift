import HearthDocumentModel
import HearthServerCalls
import HearthServerTransport

/// The rights of callers, by their credentials.
struct CallerAccess: Sendable {
  let callers: KnownCallers
  /// Refuses a call whose credentials aren't good for any project.
  let check: @Sendable (CallContext) throws(DatabaseError) -> Void
  /// Refuses a call of anyone but an administrator.
  let checkAdministrator: @Sendable (CallContext) throws(DatabaseError) -> Void

  /// The rights at an emulator, where everyone may administer databases.
  static let ofEmulator = CallerAccess(
    callers: KnownCallers(), check: { _ throws(DatabaseError) in },
    checkAdministrator: { _ throws(DatabaseError) in })

  /// Makes the rights at a server that signs tokens.
  init(signedBy check: SignedCallers) {
    let callers = KnownCallers(check)
    self.init(
      callers: callers,
      check: { context throws(DatabaseError) in
        _ = try callers.identity(context.authorization, for: nil)
      },
      checkAdministrator: { context throws(DatabaseError) in
        guard case .administrator = try callers.identity(context.authorization, for: nil) else {
          throw DatabaseError(
            .permissionDenied, "Administration needs one of the server's access tokens.")
        }
      })
  }

  private init(
    callers: KnownCallers,
    check: @escaping @Sendable (CallContext) throws(DatabaseError) -> Void,
    checkAdministrator: @escaping @Sendable (CallContext) throws(DatabaseError) -> Void
  ) {
    self.callers = callers
    self.check = check
    self.checkAdministrator = checkAdministrator
  }

  /// Returns the page for administrators, or a refusal of others.
  func forAdministrators(
    _ page: @escaping @Sendable () -> HTTPResponse
  ) -> @Sendable (HTTPRequest) -> HTTPResponse {
    { [checkAdministrator] request in
      do throws(DatabaseError) {
        try checkAdministrator(CallContext(authorization: request.header("authorization")))
        return page()
      } catch {
        return RESTService.refusal(error, streams: false)
      }
    }
  }
}
