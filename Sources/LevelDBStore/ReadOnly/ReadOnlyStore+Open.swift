package import HearthOrderedStore

extension ReadOnlyStore {
  /// Opens the store in a folder as it is now, even while another process has it open.
  ///
  /// The end of a log that holds no whole batch is passed over and reported. Either a crash left it
  /// half written, or the other process is writing it.
  ///
  /// - Parameter options: choices for writing have no effect.
  /// - Throws: `.notAStore`, `.newerFormat`, `.permission`, `.corrupt`, `.tooManyFiles`,
  ///   `.inputOutput`, each with the folder in its message.
  package static func open(
    folder path: String, options: LevelDBOptions = LevelDBOptions()
  ) throws(StoreError) -> (store: ReadOnlyStore, report: StoreOpenReport) {
    let folder = try StoreFolder.look(at: path)
    _ = try folder.checkFormat()
    let isUnclean = try folder.isUncleanAfterPowerLoss()
    let files = try FilesAtOnce(of: folder)
    var logged = LoggedVersionList()
    let examination = try LogExamination(
      of: files.list, keepsPrefix: isUnclean, reading: files.contents(ofLog:),
      taking: { batch, payload in logged.append(batch, payload) })
    logged.sort()
    let held = HeldFiles(files.tables, logged, cacheByteCount: options.cacheByteCount)
    let report = StoreOpenReport(
      folder: folder.path, isNew: false, lastSequence: examination.lastSequence,
      cuts: examination.cuts, isUncleanAfterPowerLoss: isUnclean)
    let store = ReadOnlyStore(held, folder: folder.path, describe: options.describeKey)
    return (store, report)
  }

  /// Whether there is a store in `folder` that this user and this release can read.
  package static func isStore(at folder: String) -> Bool {
    (try? StoreFolder.look(at: folder).checkFormat()) ?? false
  }
}
