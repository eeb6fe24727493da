public import Hearth
import Synchronization

/// A database under the name that code for Firebase uses.
///
/// Every object of this module comes from a ``Firestore``. A program names its database once, at
/// its start, in the place of `FirebaseApp.configure()`:
///
/// ```swift
/// try Firestore.configure(at: "tasks.hearth")
/// let tasks = Firestore.firestore().collection("tasks")
/// ```
///
/// No call traps. A path, a filter or a value that breaks a rule is an error of the first call that
/// reads, writes or listens with it. So is a database that was never named.
///
/// Calls with a completion handler begin in the order in which they are made: a read sees the
/// earlier writes, even if the caller didn't wait for them. Handlers and listeners are called on
/// ``FirestoreSettings/dispatchQueue``, by default the main queue, as in Firebase. A program that
/// never runs its main queue, such as one that blocks its main thread, sets a queue of its own, or
/// uses the `async` calls, which don't need it.
public final class Firestore: Sendable {
  /// The name of the database of ``firestore()``.
  public static let defaultDatabaseName = "(default)"

  private static let instances = Mutex<[UTF8Key: Firestore]>([:])
  /// Instances without a name, by their database, which lives at least as long.
  private static let unnamed = Mutex<[ObjectIdentifier: Unnamed]>([:])

  private struct Unnamed {
    weak var firestore: Firestore?
  }

  private struct State {
    var database: Database?
    var folder: String?
    var settings = SettingsValues()
    /// Makes the requests of a call; `nil` for those of the database's owner.
    var access: (@Sendable () -> any DatabaseRequests)?
  }

  private let state: Mutex<State>
  let operations = OrderedOperations()
  let listeners = ListenerRoster()
  let cacheIndexManager = PersistentCacheIndexManager()

  private init(_ database: Database?) {
    state = Mutex(State(database: database))
  }

  /// Creates an instance for a database, without a name. It is for a part of a program that
  /// receives its database from another.
  public convenience init(_ database: Database) {
    self.init(.some(database))
    let key = ObjectIdentifier(database)
    _ = Firestore.unnamed.withLock { unnamed -> Firestore? in
      if let other = unnamed[key]?.firestore { return other }
      unnamed[key] = Unnamed(firestore: self)
      return nil
    }
  }

  deinit {
    guard let database = state.withLock({ $0.database }) else { return }
    let key = ObjectIdentifier(database)
    // The instance is returned out of the lock, since releasing its last reference leads here.
    _ = Firestore.unnamed.withLock { unnamed -> Firestore? in
      if let other = unnamed[key]?.firestore { return other }
      unnamed[key] = nil
      return nil
    }
  }
}

// MARK: - Instances

extension Firestore {
  /// Returns the default database. Every call returns the same object. It may be called before
  /// ``configure(at:options:)`` or ``use(_:as:)``, but references made before those fail.
  public static func firestore() -> Firestore { firestore(database: defaultDatabaseName) }

  /// Returns the database that was given a name by ``use(_:as:)``.
  public static func firestore(database name: String) -> Firestore {
    instances.withLock { instances in
      let key = UTF8Key(name)
      if let instance = instances[key] { return instance }
      let instance = Firestore(nil)
      instances[key] = instance
      return instance
    }
  }

  /// Opens the database in a folder, and makes it the one that ``firestore()`` returns.
  ///
  /// - Throws: the errors of `Database.open`.
  @discardableResult
  public static func configure(
    at folder: String, options: Database.Options = Database.Options()
  ) throws(DatabaseError) -> Database {
    let database = try Database.open(at: folder, options: options)
    firestore().setDatabase(database, folder: folder)
    return database
  }

  /// Makes an open database the one that `firestore(database:)` returns for a name; without a name,
  /// the one that ``firestore()`` returns. References made from an earlier database stay with that
  /// one.
  public static func use(_ database: Database, as name: String = defaultDatabaseName) {
    firestore(database: name).setDatabase(database, folder: nil)
  }

  /// Returns the instance of an open database: the one with a name, or else one made from it; a new
  /// one only if there is none.
  static func over(_ database: Database) -> Firestore {
    let named = instances.withLock { instances in
      instances.values.first { instance in
        instance.state.withLock { $0.database === database }
      }
    }
    if let named { return named }
    let unnamed = unnamed.withLock { $0[ObjectIdentifier(database)]?.firestore }
    return unnamed ?? Firestore(database)
  }

  private func setDatabase(_ database: Database, folder: String?) {
    state.withLock { state in
      state.database = database
      state.folder = folder
    }
  }
}

// MARK: - Database and settings

extension Firestore {
  /// Returns the open database.
  ///
  /// - Throws: `failedPrecondition` if none was named yet.
  func database() throws -> Database {
    guard let database = state.withLock({ $0.database }) else {
      throw DatabaseError(
        .failedPrecondition,
        "No database is open. Call Firestore.configure(at:) or Firestore.use(_:) before the first "
          + "use of Firestore.")
    }
    return database
  }

  /// Makes the requests of later calls by `access`, which is asked for each call.
  package func setAccess(_ access: @escaping @Sendable () -> any DatabaseRequests) {
    state.withLock { $0.access = access }
  }

  /// The requests of a call that is made now.
  var requests: any DatabaseRequests { state.withLock { $0.access }?() ?? OwnerRequests() }

  /// Folder of the database; `nil` if it wasn't opened here.
  var folder: String? { state.withLock { $0.folder } }

  /// Settings of the delivery of results. Setting them affects later calls.
  public var settings: FirestoreSettings {
    get { FirestoreSettings(settingsValues) }
    set { state.withLock { $0.settings = newValue.values } }
  }

  var settingsValues: SettingsValues { state.withLock { $0.settings } }

  /// The indexes of the cache; `nil` if ``settings`` request a cache that isn't on disk.
  public var persistentCacheIndexManager: PersistentCacheIndexManager? {
    let settings = settingsValues
    guard settings.isPersistenceEnabled else { return nil }
    return settings.cacheSettings is MemoryCacheSettings ? nil : cacheIndexManager
  }
}
