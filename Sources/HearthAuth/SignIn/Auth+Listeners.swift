public import Foundation
import Synchronization

/// The handle of a listener, for its removal.
public typealias AuthStateDidChangeListenerHandle = any NSObjectProtocol
/// The handle of a listener, for its removal.
public typealias IDTokenDidChangeListenerHandle = any NSObjectProtocol

/// A listener of the user, which is called on the caller's queue.
private final class UserListener: NSObject, Sendable {
  private struct State {
    /// The id of the observer; `nil` before it has one, and once it is removed.
    var id: Int?
    var isRemoved = false
    /// The id of the user of the latest call; `nil` before the first.
    var lastUID: String??
  }

  private let state = Mutex(State())

  /// Returns whether a listener of the state is to be told of a user.
  func isNews(_ uid: String?) -> Bool {
    state.withLock { state in
      if let last = state.lastUID, last == uid { return false }
      state.lastUID = .some(uid)
      return true
    }
  }

  var isRemoved: Bool { state.withLock { $0.isRemoved } }

  func begin(as id: Int) { state.withLock { $0.id = id } }

  /// - Returns: the id of the observer.
  func remove() -> Int? {
    state.withLock { state in
      state.isRemoved = true
      return state.id.take()
    }
  }
}

extension Auth {
  /// Calls `listener` with the present user soon, and again each time another user is signed in, or
  /// none. A user who is linked with a provider stays the same.
  ///
  /// - Returns: the handle by which ``removeStateDidChangeListener(_:)`` ends the listener.
  @discardableResult
  public func addStateDidChangeListener(
    _ listener: @escaping (Auth, User?) -> Void
  ) -> AuthStateDidChangeListenerHandle {
    add(listener) { $0.isNews($1) }
  }

  /// Ends a listener. If this is called on the listener's queue, no call begins after it returns.
  public func removeStateDidChangeListener(_ listenerHandle: AuthStateDidChangeListenerHandle) {
    guard let listener = listenerHandle as? UserListener, let id = listener.remove() else { return }
    keeper.removeObserver(id)
  }

  /// Calls `listener` with the present user soon, and again each time another user is signed in, or
  /// none, and each time the user has a new token.
  ///
  /// - Returns: the handle by which ``removeIDTokenDidChangeListener(_:)`` ends the listener.
  @discardableResult
  public func addIDTokenDidChangeListener(
    _ listener: @escaping (Auth, User?) -> Void
  ) -> IDTokenDidChangeListenerHandle {
    add(listener) { _, _ in true }
  }

  /// Ends a listener. If this is called on the listener's queue, no call begins after it returns.
  public func removeIDTokenDidChangeListener(_ listenerHandle: IDTokenDidChangeListenerHandle) {
    removeStateDidChangeListener(listenerHandle)
  }

  private func add(
    _ listener: @escaping (Auth, User?) -> Void,
    _ isNews: @escaping @Sendable (UserListener, String?) -> Bool
  ) -> any NSObjectProtocol {
    let registration = UserListener()
    let handler = Handler<User?> { user in
      if !registration.isRemoved { listener(self, user) }
    }
    let id = keeper.add { [keeper] session in
      guard isNews(registration, session?.uid) else { return }
      keeper.delivery.hand(session.map { User($0, keeper) }, to: handler)
    }
    registration.begin(as: id)
    return registration
  }
}
