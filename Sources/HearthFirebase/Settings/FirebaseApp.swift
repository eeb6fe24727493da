import Synchronization

/// The app that a program configures where it starts. A database needs none: it is named by
/// ``Firestore/configure(at:options:)`` or ``Firestore/use(_:as:)``.
public final class FirebaseApp: Sendable {
  private static let configured = Mutex<FirebaseApp?>(nil)

  private init() {}

  /// Opens and connects to nothing: there is no project file to read. Until a database is named,
  /// every call that reads or writes fails with an error that says so.
  public static func configure() {
    configured.withLock { $0 = $0 ?? FirebaseApp() }
  }

  /// The app; `nil` before ``configure()``.
  public static func app() -> FirebaseApp? { configured.withLock { $0 } }
}
