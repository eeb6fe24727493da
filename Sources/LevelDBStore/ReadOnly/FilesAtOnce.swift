import OrderedStore

/// All files of a store that count, opened while another process may write to it.
///
/// LevelDB adds and deletes files as its MANIFEST says. So the files that a MANIFEST names are one
/// moment of the store, if it still says the same when all of them are open. What is appended to a
/// log later only comes behind.
struct FilesAtOnce {
  /// Number of changes of the MANIFEST after which it is given up. It does some times a second at
  /// most, and opening takes milliseconds.
  private static let attemptCount = 100

  let list: FileList
  let tables: [(level: UInt64, table: OpenTable)]
  private let logs: [String: OpenFile]

  /// - Throws: `.corrupt` where the list of files can't be read; `.tooManyFiles`; `.permission`;
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

  /// The bytes of a log that was live; `nil` where it isn't there.
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

  /// `nil` where the list of files was changed meanwhile.
  ///
  /// - Parameter known: the tables that were opened so far; their numbers are never used again.
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
    // One that isn't there was lost, if the list stays the same.
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

  /// `nil` where the MANIFEST was replaced between two looks.
  ///
  /// - Throws: `.corrupt` where the same part of the list is missing twice.
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
