public import Dispatch
import Foundation

/// How a ``Firestore`` delivers its results. Changes count once they are assigned to
/// ``Firestore/settings``.
///
/// What Firebase has besides concerns a server and a cache in front of it, and there are none.
public final class FirestoreSettings {
  var values: SettingsValues

  /// The queue that completion handlers and listeners are called on: by default the main queue. A
  /// concurrent one would call a listener out of order.
  public var dispatchQueue: DispatchQueue {
    get { values.dispatchQueue }
    set { values.dispatchQueue = newValue }
  }

  /// Is called with the errors that nobody else hears of: those of a write without completion
  /// handler, and of stored bytes in calls that can't throw. By default they are written to the
  /// standard error stream.
  public var unhandledErrorHandler: @Sendable (any Error) -> Void {
    get { values.unhandledErrorHandler }
    set { values.unhandledErrorHandler = newValue }
  }

  /// The settings that a database begins with.
  public init() { values = SettingsValues() }

  init(_ values: SettingsValues) { self.values = values }
}

/// The settings as a value.
struct SettingsValues: Sendable {
  var dispatchQueue = DispatchQueue.main
  var unhandledErrorHandler: @Sendable (any Error) -> Void = { error in
    FileHandle.standardError.write(Data("HearthFirebase: \(error.localizedDescription)\n".utf8))
  }
}
