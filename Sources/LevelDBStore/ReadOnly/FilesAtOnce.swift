import HearthOrderedStore

/// All live files of a store, opened while another process may write to the store.
///
/// LevelDB adds and deletes files as its MANIFEST says. So the files that a MANIFEST names show one
/// moment of the store, if the MANIFEST still says the same when all of them are open. Later writes
/// to a log only follow its contents.
struct FilesAtOnce {
  /// Number of changes of the MANIFEST after which opening gives up. The MANIFEST changes a few
  /// times a second at most, and opening takes milliseconds.
  private static let attemptCount = 100

  let list: FileList
  let tables: [(level: UInt64, table: OpenTable)]
  private let logs: [String: OpenFile]

  /// - Throws: `.corrupt` if the list of files can't be read; `.tooManyFiles`; `.permission`;
  ///   `.inputOutput`.
  init(of folder: StoreFolder) throws(StoreError) {
    var known: [UInt64: OpenTable] = [:]
    for _ in 0..<Self.attemptCount {
      if let files = try Self.attempt(folder, &known) {
        self = files
        return
      }
      OperatingSystem.pause(milliseconds: 1)
    }
    throw StoreError(
      .inputOutput,
      "cannot open the database at \(folder.path): its files changed each of "
        + "\(Self.attemptCount) times that they were looked at")
  }

  /// Returns the bytes of a log that was live; `nil` if it is missing.
  func contents(ofLog name: String) throws(StoreError) -> [UInt8]? {
    try logs[name]?.contents()
  }

  private init(
    _ list: FileList, _ tables: [(level: UInt64, table: OpenTable)], _ logs: [String: OpenFile]
  ) {
    self.list = list
    self.tables = tables
    self.logs = logs
  }

  /// Opens the files once; `nil` if the list of files was changed meanwhile.
  ///
  /// - Parameter known: the tables opened so far; their numbers are never used again.
  private static func attempt(
    _ folder: StoreFolder, _ known: inout [UInt64: OpenTable]
  ) throws(StoreError) -> FilesAtOnce? {
    guard let list = try list(of: folder) else { return nil }
    let manifest = ManifestReading(list.manifest).manifest
    let files = StoreFiles(list.names)
    var logs: [String: OpenFile] = [:]
    for name in files.liveLogs(of: manifest) {
      guard let log = try OpenFile.ifThere(list.levelDBPath + "/" + name) else { return nil }
      logs[name] = log
    }
    var tables: [(level: UInt64, table: OpenTable)] = []
    // If the list stays the same, a table that isn't there was lost.
    for (number, entry) in manifest.tables {
      guard let name = files.tables[number] else { continue }
      if known[number] == nil, let file = try OpenFile.ifThere(list.levelDBPath + "/" + name) {
        known[number] = try OpenTable(entry, number: number, name: name, file: file)
      }
      guard let table = known[number] else { return nil }
      tables.append((entry.level, table))
    }
    return try list.isStill() ? FilesAtOnce(list, tables, logs) : nil
  }

  /// Reads the list of files; `nil` if the MANIFEST was replaced between two attempts.
  ///
  /// - Throws: `.corrupt` if the same part of the list is missing twice.
  private static func list(of folder: StoreFolder) throws(StoreError) -> FileList? {
    let first: StoreError
    do throws(StoreError) {
      return try FileList(of: folder)
    } catch {
      guard error.code == .corrupt else { throw error }
      first = error
    }
    do throws(StoreError) {
      return try FileList(of: folder)
    } catch {
      guard error.code == .corrupt, error.message != first.message else { throw error }
      return nil
    }
  }
}
