package import HearthOrderedStore

extension LevelDBStore {
  /// Mark of the process, made when a store is first opened.
  private static let firstProcess = ForkMark()

  /// Opens the store in a folder, after an examination of what a crash or damage may have left.
  ///
  /// The order is: lock, format, logs, LevelDB. Nothing on disk changes before everything was found
  /// good, except for the lock and, for a new store, the folder itself.
  ///
  /// LevelDB has one thread for all stores of a process. A process that was forked after the first
  /// store was opened doesn't have that thread, so it can't open a store.
  ///
  /// - Throws: `.locked`, `.notAStore`, `.newerFormat`, `.permission`, `.corrupt`, `.full`,
  ///   `.inputOutput`, each with the folder in its message; `.forked`.
  package static func open(
    folder path: String, options: LevelDBOptions = LevelDBOptions()
  ) throws(StoreError) -> (store: LevelDBStore, report: StoreOpenReport) {
    guard !firstProcess.isInherited else { throw .forked }
    let folder = try StoreFolder.hold(
      path, createIfMissing: options.createIfMissing, lockWait: options.lockWait)
    let isNew = try !folder.checkFormat()
    let isUnclean = try folder.isUncleanAfterPowerLoss()
    var report = StoreOpenReport(
      folder: folder.path, isNew: isNew, lastSequence: 0, cuts: [],
      isUncleanAfterPowerLoss: isUnclean)
    if isNew {
      try folder.beginMaking(isDurable: options.isDurable)
    } else {
      let examination = try LogExamination(of: folder, keepsPrefix: isUnclean)
      try examination.applyCuts()
      report.lastSequence = examination.lastSequence
      report.cuts = examination.cuts
    }
    let handle = try LevelDBHandle(folder: folder, options: options, isNew: isNew)
    try folder.recordFormat(isDurable: options.isDurable)
    try folder.beginWriting(isDurable: options.isDurable, isUnverified: isUnclean)
    return (LevelDBStore(handle: handle, options: options), report)
  }
}
