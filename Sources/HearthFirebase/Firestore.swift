public import Hearth
import Synchronization

/// A database under the name that Firebase's code knows it by.
///
/// Every object of this module comes from one. A program says once, at its start, which database
/// that is, where it called `FirebaseApp.configure()` before:
///
/// ```swift
/// try Firestore.configure(at: "tasks.hearth")
/// let tasks = Firestore.firestore().collection("tasks")
/// ```
///
/// No call traps. A path, a filter or a value that breaks a rule, or a database that was never
/// named, is an error of the first call that reads, writes or listens with it.
///
/// Calls with a completion handler begin in the order in which they are made: a read sees the
/// writes before it, whether these were waited for or not. Handlers and listeners are called on
/// ``FirestoreSettings/dispatchQueue``, by default the main queue, as Firebase has it. A program
/// that never runs its main queue, such as one that blocks its main thread, gives its own, or uses
/// the `async` calls, which don't touch it.
public final class Firestore: Sendable {
  /// The name of the database of ``firestore()``.
  public static let defaultDatabaseName = "(default)"

  private static let instances = Mutex<[UTF8Key: Firestore]>([:])
  /// Those without a name, by their database, which lives at least as long.
  private static let unnamed = Mutex<[ObjectIdentifier: Unnamed]>([:])

  private struct Unnamed {
    weak var firestore: Firestore?
  }

  private struct State {
    var database: Database?
    var folder: String?
    var settings = SettingsValues()
  }

  private let state: Mutex<State>
  let operations = OrderedOperations()
  let listeners = ListenerRoster()
  let cacheIndexManager = PersistentCacheIndexManager()

  private init(_ database: Database?) {
    state = Mutex(State(database: database))
  }

  /// Over a database, and known by no name: for a part of a program that is handed its database.
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
    // What is found goes out of the lock, since the end of the last reference leads here.
    _ = Firestore.unnamed.withLock { unnamed -> Firestore? in
      if let other = unnamed[key]?.firestore { return other }
      unnamed[key] = nil
      return nil
    }
  }
}

// MARK: - Instances

extension Firestore {
  /// The default database. Every call returns the same object, which may be made before
  /// ``configure(at:options:)`` or ``use(_:as:)``; references made before that fail.
  public static func firestore() -> Firestore { firestore(database: defaultDatabaseName) }

  /// The database that was given a name by ``use(_:as:)``.
  public static func firestore(database name: String) -> Firestore {
    instances.withLock { instances in
      let key = UTF8Key(name)
      if let instance = instances[key] { return instance }
      let instance = Firestore(nil)
      instances[key] = instance
      return instance
    }
  }

  /// Opens the database in a folder, for ``firestore()`` to be.
  ///
  /// - Throws: what `Database.open` throws.
  @discardableResult
  public static func configure(
    at folder: String, options: Database.Options = Database.Options()
  ) throws(DatabaseError) -> Database {
    let database = try Database.open(at: folder, options: options)
    firestore().setDatabase(database, folder: folder)
    return database
  }

  /// Makes an open database the one that `firestore(database:)` of that name returns, and
  /// ``firestore()`` where none is given. What was made from one before stays with that.
  public static func use(_ database: Database, as name: String = defaultDatabaseName) {
    firestore(database: name).setDatabase(database, folder: nil)
  }

  /// The object that stands for an open database: one that has a name, else one that was made over
  /// it, and a new one only where there is none.
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

// MARK: - What stands behind it

extension Firestore {
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

  /// The folder of the database, if it was opened here.
  var folder: String? { state.withLock { $0.folder } }

  /// Choices about how results are delivered. Setting it concerns the calls that follow.
  public var settings: FirestoreSettings {
    get { FirestoreSettings(settingsValues) }
    set { state.withLock { $0.settings = newValue.values } }
  }

  var settingsValues: SettingsValues { state.withLock { $0.settings } }
}

// MARK: - Paths

extension Firestore {
  /// The collection at `path`, such as `tasks` or `lists/home/tasks`.
  public func collection(_ path: String) -> CollectionReference {
    CollectionReference(path, in: self)
  }

  /// The document at `path`, such as `tasks/4711`, whether it exists or not.
  public func document(_ path: String) -> DocumentReference {
    DocumentReference(path, in: self)
  }

  /// A query over all collections of an id, at any depth (§1.1). It needs indexes of group scope.
  public func collectionGroup(_ collectionID: String) -> Query {
    Query(self, Result { try self.database().collectionGroup(collectionID) })
  }
}
