import HearthAdminSocket
import Hearth

extension DatabaseOptions {
  /// Time given to a process that has the database open but doesn't answer the tool. It may be
  /// another run of the tool that is about to answer, or to end.
  private static let patience = Duration.seconds(1)

  /// Runs `body` with the database, through the application that has it open, or by opening it.
  ///
  /// - Parameters:
  ///   - creating: whether a folder that is missing or empty becomes a new database.
  ///   - isDurable: whether commits survive a loss of power, if the tool opens the database.
  ///   - access: whether the tool may write, if it opens the database.
  ///   - isQuiet: whether findings and repairs of opening aren't printed.
  /// - Throws: ``Refusal`` if a query lacks an index; ``ToolFailure`` if the database can't be
  ///   reached; the errors of `body`.
  func withSession<Result>(
    creating: Bool = false, isDurable: Bool = true, access: Database.Access = .readWrite,
    isQuiet: Bool = false, _ body: (AdminSession) throws -> Result
  ) throws -> Result {
    if access == .readWrite { try DatabaseOptions.refuseInReadOnlyShell() }
    let path = try folder()
    var options = options
    options.access = access
    options.isDurable = isDurable
    // Other runs of the tool expect durable commits.
    options.acceptsToolWrites = isDurable
    if creating { create(at: path, &options) }
    let session = try AdminSession { try open(path, options, isQuiet: isQuiet) }
    // Other runs of the tool may use the database through this one.
    defer { finish(session) }
    let result = try refusing(by: session) { try body(session) }
    finish(session)
    try session.own?.close()
    return result
  }

  /// Lets other runs of the tool finish their work on the database, if the tool itself opened it.
  private func finish(_ session: AdminSession) {
    if let database = session.own { DatabaseOptions.finish(database) }
  }

  /// Runs `body`, and reports an index that a query lacks in the tool's words.
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

  private func open(
    _ path: String, _ options: Database.Options, isQuiet: Bool
  ) throws -> AdminSession.Access {
    let deadline = ContinuousClock.now + max(.seconds(wait ?? 0), DatabaseOptions.patience)
    while true {
      var stranger: ToolFailure?
      do throws(ToolFailure) {
        if let client = try connect(to: path) { return .application(client) }
      } catch {
        // The socket may be left over from another user's process: only the lock tells.
        guard error.status == .permission else { throw error }
        stranger = error
      }
      do throws(DatabaseError) {
        var options = options
        // The time between two looks for the application's socket.
        options.lockTimeout = .milliseconds(20)
        let database = try Database.openPlainly(at: path, options: options)
        if !isQuiet { report(database.openReport, for: options.access) }
        return .own(database)
      } catch {
        if error.isInUse, let stranger { throw stranger }
        guard error.isInUse, ContinuousClock.now < deadline else {
          throw ToolFailure(
            opening: error, creating: options.createsIfMissing, access: options.access)
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
