public import Dispatch
import Foundation

/// Settings of the delivery of a ``Firestore``'s results. Changes take effect once they are
/// assigned to ``Firestore/settings``.
///
/// Firebase's other settings concern a server and a cache in front of it, and here there are none.
/// They are accepted and can be read back, so that a program's start needs no changes. They have no
/// effect.
public final class FirestoreSettings {
  var values: SettingsValues

  /// The queue on which completion handlers and listeners are called, by default the main queue. A
  /// concurrent queue would call a listener out of order.
  public var dispatchQueue: DispatchQueue {
    get { values.dispatchQueue }
    set { values.dispatchQueue = newValue }
  }

  /// Handler of the errors that no other code receives: those of a write without completion
  /// handler, of stored bytes in calls that can't throw, and of figures that were not requested. By
  /// default they are written to the standard error stream.
  public var unhandledErrorHandler: @Sendable (any Error) -> Void {
    get { values.unhandledErrorHandler }
    set { values.unhandledErrorHandler = newValue }
  }

  /// Ignored: there is no server. The database is named by ``Firestore/configure(at:options:)``.
  public var host: String {
    get { values.host }
    set { values.host = newValue }
  }

  /// Ignored: nothing goes over a network.
  public var isSSLEnabled: Bool {
    get { values.isSSLEnabled }
    set { values.isSSLEnabled = newValue }
  }

  /// Ignored, except by ``Firestore/persistentCacheIndexManager``. Whether data outlives the
  /// process is decided when the database is opened, in a folder or in memory.
  public var isPersistenceEnabled: Bool {
    get { values.isPersistenceEnabled }
    set { values.isPersistenceEnabled = newValue }
  }

  /// Ignored: data is never dropped to save space. The memory that the database uses is an option
  /// of opening it, `Database.Options.cacheByteCount`.
  public var cacheSizeBytes: Int64 {
    get { values.cacheSizeBytes }
    set { values.cacheSizeBytes = newValue }
  }

  /// Ignored, except by ``Firestore/persistentCacheIndexManager``. There is no cache that could be
  /// kept in memory or be collected, since the database is the only copy of its data.
  public var cacheSettings: any LocalCacheSettings {
    get { values.cacheSettings }
    set { values.cacheSettings = newValue }
  }

  /// Creates the default settings.
  public init() { values = SettingsValues() }

  init(_ values: SettingsValues) { self.values = values }
}

/// The settings as a value.
struct SettingsValues: Sendable {
  var dispatchQueue = DispatchQueue.main
  var unhandledErrorHandler: @Sendable (any Error) -> Void = { error in
    FileHandle.standardError.write(Data("HearthFirebase: \(error.localizedDescription)\n".utf8))
  }
  var host = "firestore.googleapis.com"
  var isSSLEnabled = true
  var isPersistenceEnabled = true
  var cacheSizeBytes: Int64 = 100 << 20
  var cacheSettings: any LocalCacheSettings = PersistentCacheSettings()
}
