import Synchronization

/// The app that a program configures at its start. A database needs none: it is named by
/// ``Firestore/configure(at:options:)`` or ``Firestore/use(_:as:)``.
public final class FirebaseApp: Sendable {
  private static let configured = Mutex<FirebaseApp?>(nil)

  private init() {}

  /// Marks the app as configured. It opens no database and connects to none, and there is no
  /// project file to read. Until a database is named, every call that reads or writes fails with an
  /// error that says so.
  public static func configure() {
    configured.withLock { $0 = $0 ?? FirebaseApp() }
  }

  /// Returns the app; `nil` before ``configure()``.
  public static func app() -> FirebaseApp? { configured.withLock { $0 } }
}
