import HearthOrderedStore

/// The live files of a damaged store, as far as its MANIFEST can still tell.
struct LiveFiles {
  struct Table {
    let number: UInt64
    /// Name of the file; `nil` if it is missing.
    let name: String?
    /// Entry of the table in the MANIFEST; `nil` if no MANIFEST tells it.
    let entry: Manifest.Table?
  }

  private(set) var tables: [Table] = []
  /// Live logs, in the order of their numbers.
  private(set) var logs: [String] = []
  /// Log that the MANIFEST names and that is missing; `nil` if there is none.
  private(set) var missingLog: String?
  /// Fault of the list of files; `nil` if the list can be trusted.
  private(set) var damage: String?
  /// Fault that hides no file; `nil` if there is none.
  private(set) var note: String?

  init(in levelDBPath: String) throws(StoreError) {
    let files = StoreFiles(try FileSystem.names(in: levelDBPath))
    if let manifest = try readManifest(in: levelDBPath, files) {
      for (number, entry) in manifest.tables {
        tables.append(Table(number: number, name: files.tables[number], entry: entry))
      }
      missingLog = files.missingLog(of: manifest)
      logs = files.liveLogs(of: manifest)
    } else {
      tables = files.tables.map { Table(number: $0.key, name: $0.value, entry: nil) }
      logs = files.logs.sorted { $0.key < $1.key }.map(\.value)
    }
    tables.sort { $0.number < $1.number }
  }

  // MARK: The MANIFEST

  private mutating func readManifest(
    in levelDBPath: String, _ files: StoreFiles
  ) throws(StoreError) -> Manifest? {
    guard let name = try manifestName(in: levelDBPath, files) else {
      damage = "no MANIFEST is there"
      return nil
    }
    guard let bytes = try OpenFile.salvagedContents(of: levelDBPath + "/" + name) else {
      damage = "\(name) is missing"
      return nil
    }
    let reading = ManifestReading(bytes)
    // An edit that was cut short was never acted on. A damaged one may have been.
    if let offset = reading.damageOffset,
      !reading.isDamagedAtEndOnly || !DamagedLogs.isTorn(bytes, at: offset)
    {
      damage = "\(name) is damaged at byte \(offset)"
    } else if reading.goodEnd == 0 {
      damage = "\(name) is damaged at byte 0"
    } else if let words = Self.lack(of: reading.manifest, files) {
      damage = "\(name) ends too early, at byte \(reading.goodEnd): \(words)"
    }
    guard damage == nil else { return nil }
    return reading.manifest
  }

  /// Returns the sign that edits were lost off the end; `nil` if there is none. LevelDB names a
  /// MANIFEST in CURRENT only when the edit that names the log is in it. It removes a table or a
  /// log only when an edit has put another table in its place.
  private static func lack(of manifest: Manifest, _ files: StoreFiles) -> String? {
    if manifest.logNumber == 0 { return "it names no log" }
    guard let unlisted = files.unlistedTable(of: manifest),
      let missing = files.missingFile(of: manifest)
    else { return nil }
    return "\(missing) that it names is missing, and it doesn't name \(unlisted)"
  }

  /// Returns the MANIFEST that CURRENT names. If CURRENT can't be read, returns the latest one.
  private mutating func manifestName(
    in levelDBPath: String, _ files: StoreFiles
  ) throws(StoreError) -> String? {
    if let bytes = try OpenFile.salvagedContents(of: levelDBPath + "/CURRENT"),
      let name = StoreFiles.manifestName(in: bytes), files.manifests.values.contains(name)
    {
      return name
    }
    note = "CURRENT names no MANIFEST that is there"
    return files.manifests.max { $0.key < $1.key }?.value
  }
}
