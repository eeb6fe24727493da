import HearthOrderedStore

/// The folder of a store, with its format, its lock and its record of missing syncs.
///
/// | name | contents |
/// |---|---|
/// | `FORMAT` | `Hearth database`, `format 1`, `durability synced` or `unsynced`; a line each |
/// | `FORMAT.new` | the same, alone while the store is being made |
/// | `LOCK` | locked while the store is open; the holder's process number and command |
/// | `UNSYNCED` | exists while writes may lack syncs; the machine's start, perhaps `unverified` |
/// | `SCRATCH` | exists for a moment, before it loses its name: entries that an import sorts |
/// | `store/` | LevelDB's own folder; LevelDB deletes files in it that it does not know |
///
/// The durability is that of the last open. Opening makes everything durable, so the durability may
/// change with each open but never within one.
struct StoreFolder: Sendable {
  static let formatVersion = 1
  private static let magic = "Hearth database"

  let path: String
  /// Lock, held while any copy of this value exists; `nil` for a reader that takes none.
  private let lock: FolderLock?

  var levelDBPath: String { path + "/store" }
  private var formatPath: String { path + "/FORMAT" }
  private var unsyncedPath: String { path + "/UNSYNCED" }

  /// Returns the folder at `path` for a reader, without a lock: another process may write to it.
  static func look(at path: String) throws(StoreError) -> StoreFolder {
    try checkIsPath(path)
    try checkIsStoreOrEmpty(path, createIfMissing: false)
    return StoreFolder(path: try FileSystem.absolutePath(of: path), lock: nil)
  }

  /// Locks the folder at `path`, and makes it first if `createIfMissing` allows.
  ///
  /// A folder that holds something else is refused before anything is put into it.
  static func hold(
    _ path: String, createIfMissing: Bool, lockWait: Duration
  ) throws(StoreError) -> StoreFolder {
    try checkIsPath(path)
    if createIfMissing, try FileSystem.kind(of: path) == nil {
      try FileSystem.makeFolder(path)
    }
    try checkIsStoreOrEmpty(path, createIfMissing: createIfMissing)
    let absolute = try FileSystem.absolutePath(of: path)
    let lock = try FolderLock(folder: absolute, wait: lockWait)
    // The first check came before the lock, so check again.
    try checkIsStoreOrEmpty(absolute, createIfMissing: createIfMissing)
    return StoreFolder(path: absolute, lock: lock)
  }

  /// Locks the folder at `path` to read what is left of a store, and changes nothing in it.
  ///
  /// - Throws: `.locked`; `.notAStore` if LevelDB's files are missing; `.newerFormat`.
  static func holdDamaged(_ path: String) throws(StoreError) -> StoreFolder {
    guard !path.isEmpty, !path.utf8.contains(0), try FileSystem.kind(of: path) == .folder,
      try FileSystem.kind(of: path + "/store") == .folder
    else {
      throw StoreError(
        .notAStore, "there is no database at \(path): a database has a folder named store")
    }
    let absolute = try FileSystem.absolutePath(of: path)
    let folder = StoreFolder(path: absolute, lock: try FolderLock(lookingAt: absolute))
    do {
      _ = try folder.checkFormat()
    } catch {
      // Other faults of the file don't matter: LevelDB's own files tell their contents.
      if error.code == .newerFormat { throw error }
    }
    return folder
  }

  private static func checkIsPath(_ path: String) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(.notAStore, "\"\(path)\" is no path of a folder")
    }
  }

  private static func checkIsStoreOrEmpty(
    _ path: String, createIfMissing: Bool
  ) throws(StoreError) {
    switch try FileSystem.kind(of: path) {
    case nil: throw StoreError(.notAStore, "there is no database at \(path)")
    case .file:
      throw StoreError(.notAStore, "\(path) is a file; a database is a folder")
    case .folder: break
    }
    let names = try FileSystem.names(in: path)
    if names.contains("FORMAT") { return }
    // A crash while a store was being made leaves this file behind.
    let isUnfinished = names.contains("FORMAT" + FileSystem.temporarySuffix)
    guard isUnfinished || names.allSatisfy({ $0 == "LOCK" }) else {
      throw StoreError(
        .notAStore, "\(path) is no database: it holds other files and no FORMAT")
    }
    guard createIfMissing else {
      throw StoreError(.notAStore, "there is no database at \(path): the folder is empty")
    }
  }

  /// Whether the folder holds a store in a format that this release reads; `false` if the store is
  /// still to be made.
  ///
  /// - Throws: `.newerFormat`, `.notAStore`, `.corrupt`.
  func checkFormat() throws(StoreError) -> Bool {
    guard let bytes = try FileSystem.contents(of: formatPath) else { return false }
    let lines = bytes.lines
    guard lines.first == Self.magic else {
      throw StoreError(
        .notAStore, "\(path) is no database: FORMAT does not begin with \"\(Self.magic)\"")
    }
    guard lines.count >= 2, lines[1].hasPrefix("format "),
      let version = Int(lines[1].dropFirst("format ".count)), version > 0
    else {
      throw StoreError(.corrupt, "\(formatPath) is damaged: it names no format version")
    }
    guard version <= Self.formatVersion else {
      throw StoreError(
        .newerFormat,
        "the database at \(path) has format \(version); this release reads formats up to "
          + "\(Self.formatVersion), so a later release is needed")
    }
    return true
  }

  /// Writes the first files of a store, which `recordFormat(isDurable:)` finishes.
  func beginMaking(isDurable: Bool) throws(StoreError) {
    try FileSystem.writeBeside(formatText(isDurable: isDurable), path: formatPath)
    try FileSystem.synchronizeFolder(path)
  }

  /// Records the format and the durability, unless they are recorded already.
  func recordFormat(isDurable: Bool) throws(StoreError) {
    let text = formatText(isDurable: isDurable)
    if try FileSystem.contents(of: formatPath) == text { return }
    try FileSystem.write(text, to: formatPath, in: path)
  }

  private func formatText(isDurable: Bool) -> [UInt8] {
    let durability = isDurable ? "synced" : "unsynced"
    return Array("\(Self.magic)\nformat \(Self.formatVersion)\ndurability \(durability)\n".utf8)
  }
}

// MARK: - Missing syncs

extension StoreFolder {
  private static let unverifiedLine = "unverified"

  /// Whether the machine was restarted while writes were not synced, and the store was not verified
  /// since.
  func isUncleanAfterPowerLoss() throws(StoreError) -> Bool {
    guard let lines = try unsyncedLines() else { return false }
    guard lines.count == 1, let boot = OperatingSystem.bootIdentifier() else { return true }
    return lines[0] != boot
  }

  /// Records the risk for later writes, right after LevelDB was opened and everything is durable.
  func beginWriting(isDurable: Bool, isUnverified: Bool) throws(StoreError) {
    if isDurable {
      // An earlier record of a power loss stays until the store was verified.
      if !isUnverified { try removeUnsynced() }
      return
    }
    var text = (OperatingSystem.bootIdentifier() ?? "unknown") + "\n"
    if isUnverified { text += Self.unverifiedLine + "\n" }
    try FileSystem.write(Array(text.utf8), to: unsyncedPath, in: path)
  }

  /// Syncs the files that LevelDB has not synced, after it was closed.
  func endUnsynced() throws(StoreError) {
    for name in try FileSystem.names(in: levelDBPath) where name.hasSuffix(".log") {
      try OpenFile(levelDBPath + "/" + name, .read).synchronize()
    }
    try FileSystem.synchronizeFolder(levelDBPath)
    if let lines = try unsyncedLines(), !lines.contains(Self.unverifiedLine) {
      try removeUnsynced()
    }
  }

  private func removeUnsynced() throws(StoreError) {
    if try FileSystem.kind(of: unsyncedPath) == nil { return }
    try FileSystem.remove(unsyncedPath, in: path)
  }

  private func unsyncedLines() throws(StoreError) -> [String]? {
    try FileSystem.contents(of: unsyncedPath)?.lines
  }
}
