import AdminSocket
import Hearth

extension DatabaseOptions {
  /// How long a process that has the database open, but answers no tool, may take to do either
  /// otherwise: it may be another run of the tool, which is about to begin or to end.
  private static let patience = Duration.seconds(1)

  /// Runs `body` with the database, through the application that has it open, or by opening it.
  ///
  /// - Throws: ``Refusal`` where a query lacks an index; ``ToolFailure`` where the database can't
  ///   be reached; what `body` throws.
  func withSession<Result>(_ body: (AdminSession) throws -> Result) throws -> Result {
    let path = try folder()
    let session = try AdminSession { try access(to: path) }
    // Other runs of the tool may be served meanwhile.
    defer { finish(session) }
    let result = try refusing(by: session) { try body(session) }
    finish(session)
    try session.own?.close()
    return result
  }

  /// Lets other runs of the tool finish what they do with the database, where it is the tool's own.
  private func finish(_ session: AdminSession) {
    if let database = session.own { DatabaseOptions.finish(database) }
  }

  /// Runs `body`, and tells of an index that a query lacks in the tool's way.
  func refusing<Result>(
    by session: AdminSession, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      guard let missing = error.missingIndex else { throw error }
      throw try Refusal(error, missing, by: session, options: self)
    }
  }

  private func access(to path: String) throws -> AdminSession.Access {
    let deadline = ContinuousClock.now + max(.seconds(wait ?? 0), DatabaseOptions.patience)
    while true {
      var stranger: ToolFailure?
      do throws(ToolFailure) {
        if let client = try connect(to: path) { return .application(client) }
      } catch {
        // The socket may be what another user's process has left behind: the lock tells.
        guard error.status == .permission else { throw error }
        stranger = error
      }
      do throws(DatabaseError) {
        var options = options
        // Between two looks for the application's socket.
        options.lockTimeout = .milliseconds(20)
        let database = try Database.openPlainly(at: path, options: options)
        report(database.openReport)
        return .own(database)
      } catch {
        if error.isInUse, let stranger { throw stranger }
        guard error.isInUse, ContinuousClock.now < deadline else {
          throw ToolFailure(opening: error, creating: false)
        }
      }
    }
  }

  private func connect(to path: String) throws(ToolFailure) -> AdminClient? {
    do throws(DatabaseError) {
      return try AdminClient.connect(folder: path)
    } catch {
      throw ToolFailure(
        error.code == .permissionDenied ? .permission : .inUse, error.code,
        error.message.sentence)
    }
  }
}
