public import Dispatch
public import Foundation
public import Hearth

/// The sign-in of an application's user, under the name that code for Firebase uses.
///
/// A program names its accounts once, at its start, after `FirebaseApp.configure()`. They are in a
/// database of the process, or at a server:
///
/// ```swift
/// try Auth.configure(accountsAt: "accounts.hearth", sessionFile: "session.json")
/// let result = try await Auth.auth().signInAnonymously()
/// ```
///
/// The user stays signed in over restarts of the program if there is a file for the session. Only
/// its owner may read it, as it has the user's tokens.
///
/// Calls that change the user are made one after the other. Completion handlers and listeners are
/// called on ``dispatchQueue``, by default the main queue. Errors are `NSError`s of
/// ``AuthErrorDomain``.
public final class Auth: Sendable {
  private static let shared = Auth(SessionKeeper())

  let keeper: SessionKeeper

  private init(_ keeper: SessionKeeper) { self.keeper = keeper }

  /// Returns the sign-in of the program. Every call returns the same object. Until accounts are
  /// named by ``configure(accountsAt:project:sessionFile:)`` and its like, no user is signed in,
  /// and calls fail.
  public static func auth() -> Auth { shared }

  /// The user who is signed in; `nil` for none.
  public var currentUser: User? { keeper.current.map { User($0, keeper) } }

  /// The queue on which completion handlers and listeners are called, by default the main queue. A
  /// concurrent queue would call a listener out of order.
  public var dispatchQueue: DispatchQueue {
    get { keeper.delivery.queue }
    set { keeper.delivery.queue = newValue }
  }

  /// Signs the user out. Nothing is asked of the accounts: the tokens stay good, but this program
  /// no longer has them. The next anonymous user is another one.
  ///
  /// - Throws: `keychainError` if the session can't be removed from its file.
  public func signOut() throws {
    do throws(AuthFailure) { try keeper.begin(nil) } catch { throw error.error }
  }
}

// MARK: - The accounts

extension Auth {
  /// Creates the sign-in of a part of a program, with accounts in a database of the process.
  ///
  /// - Parameters:
  ///   - accounts: a database that holds nothing else.
  ///   - project: the project, which tokens name.
  ///   - sessionFile: the path of the session's file; without one, the user is signed out when the
  ///     program ends.
  /// - Throws: `keychainError` for a session's file that can't be read.
  public convenience init(
    accounts: Database, project: String = "demo-project", sessionFile: String? = nil
  ) throws {
    try self.init(
      backend: EmbeddedAccounts(accounts, project: project), sessionFile: sessionFile)
  }

  /// Creates the sign-in of a part of a program, with accounts at a server.
  ///
  /// - Throws: `keychainError` for a session's file that can't be read.
  public convenience init(
    server: URL, apiKey: String = "hearth", project: String = "demo-project",
    sessionFile: String? = nil
  ) throws {
    try self.init(
      backend: ServerAccounts(server.absoluteString, key: apiKey, project: project),
      sessionFile: sessionFile)
  }

  /// - Parameter now: the time.
  package convenience init(
    backend: any AccountsBackend, sessionFile: String? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    self.init(SessionKeeper(now: now))
    try connect(to: backend, sessionFile)
  }

  /// Opens the database of the accounts in a folder, and gives them to ``auth()``.
  ///
  /// - Parameters:
  ///   - folder: the folder of a database that holds nothing else.
  ///   - project: the project, which tokens name.
  ///   - sessionFile: the path of the session's file; without one, the user is signed out when the
  ///     program ends.
  /// - Throws: the errors of `Database.open`; `keychainError` for a session's file that can't be
  ///   read.
  @discardableResult
  public static func configure(
    accountsAt folder: String, project: String = "demo-project", sessionFile: String? = nil
  ) throws -> Database {
    let database = try Database.open(at: folder)
    try use(database, project: project, sessionFile: sessionFile)
    return database
  }

  /// Gives accounts in an open database to ``auth()``.
  ///
  /// - Throws: `keychainError` for a session's file that can't be read.
  public static func use(
    _ accounts: Database, project: String = "demo-project", sessionFile: String? = nil
  ) throws {
    try shared.connect(to: EmbeddedAccounts(accounts, project: project), sessionFile)
  }

  /// Gives the accounts of a server to ``auth()``.
  ///
  /// - Parameters:
  ///   - server: the address, such as `http://127.0.0.1:8080`.
  ///   - apiKey: the key of the application. A server without secrets takes any.
  ///   - project: the project of the codes in ``waitingCodes()``.
  ///   - sessionFile: the path of the session's file; without one, the user is signed out when the
  ///     program ends.
  /// - Throws: `keychainError` for a session's file that can't be read.
  public static func configure(
    server: URL, apiKey: String = "hearth", project: String = "demo-project",
    sessionFile: String? = nil
  ) throws {
    try shared.connect(
      to: ServerAccounts(server.absoluteString, key: apiKey, project: project), sessionFile)
  }

  /// Takes the accounts of a server that is told as an emulator is. The session's file stays. A
  /// session in it that belongs to other accounts, or that can't be read, is not used.
  public func useEmulator(withHost host: String, port: Int) {
    let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    keeper.connect(
      to: ServerAccounts("http://\(host):\(port)", key: "hearth", project: "demo-project"))
  }

  private func connect(to backend: any AccountsBackend, _ sessionFile: String?) throws {
    do throws(AuthFailure) {
      try keeper.connect(to: backend, file: sessionFile.map { SessionFile(path: $0) })
    } catch {
      throw error.error
    }
  }
}
