import Foundation
import Synchronization

/// The session of the present user: it is kept here and in its file, and those who observe it are
/// told of its changes.
final class SessionKeeper: Sendable {
  /// Observers are called in the order of the changes, and must not call back.
  typealias Observer = @Sendable (UserSession?) -> Void

  private struct State {
    var backend: any AccountsBackend = UnnamedAccounts()
    var file: SessionFile?
    var current: UserSession?
    var observers: [Int: Observer] = [:]
    var observerCount = 0

    func tell() {
      for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer(current) }
    }

    func save() throws(AuthFailure) {
      guard let file, let current else { return }
      try file.write(current.session, of: backend.name)
    }
  }

  private let state = Mutex(State())
  let order = CallOrder()
  let delivery = Delivery()
  let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

  var current: UserSession? { state.withLock { $0.current } }
  var calls: AccountCalls { AccountCalls(backend: state.withLock { $0.backend }) }

  // MARK: The accounts and the file

  /// Names the accounts. The user is the one of the file, if it is of these accounts.
  ///
  /// - Throws: `keychainError` for a file that can't be read. Then nothing changes.
  func connect(to backend: any AccountsBackend, file: SessionFile?) throws(AuthFailure) {
    connect(to: backend, file, try file?.session(of: backend.name))
  }

  /// Names other accounts. The file stays; a session in it that can't be read is not used.
  func connect(to backend: any AccountsBackend) {
    let file = state.withLock { $0.file }
    connect(to: backend, file, try? file?.session(of: backend.name))
  }

  private func connect(
    to backend: any AccountsBackend, _ file: SessionFile?, _ session: Session?
  ) {
    state.withLock { state in
      let hadUser = state.current != nil
      state.backend = backend
      state.file = file
      state.current = session.map(UserSession.init)
      if hadUser || state.current != nil { state.tell() }
    }
  }

  // MARK: The user

  /// Makes a user the present one.
  ///
  /// - Throws: `keychainError` if it can't be stored. Then nothing changes.
  func begin(_ user: UserSession?) throws(AuthFailure) {
    try state.withLock { state throws(AuthFailure) in
      let earlier = state.current
      state.current = user
      do throws(AuthFailure) {
        if user == nil { try state.file?.remove() } else { try state.save() }
      } catch {
        state.current = earlier
        throw error
      }
      state.tell()
    }
  }

  /// Ends the session of a user, if it is the present one.
  func end(_ user: UserSession) throws(AuthFailure) {
    try state.withLock { state throws(AuthFailure) in
      guard state.current === user else { return }
      state.current = nil
      state.tell()
      try state.file?.remove()
    }
  }

  /// Changes the session of a user, present or not.
  ///
  /// - Parameter isTold: whether observers are told, as they are of new tokens.
  func change(
    _ user: UserSession, isTold: Bool, _ body: (inout Session) -> Void
  ) throws(AuthFailure) {
    user.change(body)
    try state.withLock { state throws(AuthFailure) in
      guard state.current === user else { return }
      if isTold { state.tell() }
      try state.save()
    }
  }

  // MARK: Observers

  /// Adds an observer, and calls it with the present user.
  func add(_ observer: @escaping Observer) -> Int {
    state.withLock { state in
      state.observerCount += 1
      state.observers[state.observerCount] = observer
      observer(state.current)
      return state.observerCount
    }
  }

  func removeObserver(_ id: Int) {
    // Not freed under the lock: its objects may call back.
    let observer = state.withLock { $0.observers.removeValue(forKey: id) }
    withExtendedLifetime(observer) {}
  }
}
