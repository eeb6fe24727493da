import HearthOrderedStore

/// An examination of LevelDB's live logs before LevelDB opens them. It decides whether damage is a
/// loss.
///
/// A writer waits for its sync before the next batch begins. So after an interruption of a durable
/// store only the end of the last log can be damaged: a batch that was not acknowledged. Damage
/// that a whole batch follows, in the same log or a later one, is a loss. So is a batch whose
/// number does not follow the one before. LevelDB itself would either silently drop everything
/// after the damage or refuse the harmless case.
///
/// Nothing is changed before everything was examined.
struct LogExamination {
  private struct Scan {
    var name: String
    var byteCount: Int
    /// The end of the last whole batch before any damage.
    var goodEnd = 0
    var damageOffset: Int?
    /// Number of whole batches after the damage, in this log or because of damage in an earlier
    /// one.
    var lostBatchCount = 0
    var firstLostOffset: Int?
  }

  /// Number of the last put or delete that will be in the store.
  private(set) var lastSequence: UInt64
  /// Ends that must be cut off before LevelDB may open the store.
  private(set) var cuts: [LogCut] = []

  private let levelDBPath: String
  private let manifestName: String
  private var scans: [Scan] = []
  /// Number that the next batch must have; `nil` before the first.
  private var expectedSequence: UInt64?
  private var isBroken = false

  /// - Parameters:
  ///   - files: the files of the store.
  ///   - keepsPrefix: whether the store was open without syncs when the machine lost power. Batches
  ///     after damage are then cut off too: a database without syncs accepts that loss.
  ///   - read: reads a log, by its name.
  ///   - take: called with the batches that are in the store, in order.
  /// - Throws: `.corrupt`, with the file and the place; `.permission`, `.inputOutput`.
  init(
    of files: FileList, keepsPrefix: Bool,
    reading read: (_ log: String) throws(StoreError) -> [UInt8]?,
    taking take: (_ batch: LoggedBatch, _ payload: [UInt8]) -> Void
  ) throws(StoreError) {
    levelDBPath = files.levelDBPath
    manifestName = files.manifestName
    lastSequence = 0
    let manifest = try examine(files.manifest)
    lastSequence = manifest.lastSequence
    let names = StoreFiles(files.names)
    try check(manifest, against: names)
    for name in names.liveLogs(of: manifest) {
      scan(try read(name) ?? [], of: name, take)
    }
    if let expectedSequence { lastSequence = expectedSequence &- 1 }
    if !keepsPrefix { try refuseLosses() }
    for scan in scans where scan.goodEnd < scan.byteCount {
      cuts.append(
        LogCut(
          file: scan.name, byteOffset: scan.goodEnd, byteCount: scan.byteCount - scan.goodEnd,
          batchCount: scan.lostBatchCount))
    }
  }

  /// Examines the logs of a store that no other process has open.
  init(of folder: StoreFolder, keepsPrefix: Bool) throws(StoreError) {
    let files = try FileList(of: folder)
    try self.init(
      of: files, keepsPrefix: keepsPrefix,
      reading: { name throws(StoreError) in
        try FileSystem.contents(of: files.levelDBPath + "/" + name)
      }, taking: { _, _ in })
  }

  /// Cuts off the ends in `cuts`, the last one first. So an interruption leaves a store that is
  /// judged the same.
  func applyCuts() throws(StoreError) {
    for cut in cuts.reversed() {
      let file = try OpenFile(levelDBPath + "/" + cut.file, .readAndWrite)
      try file.truncate(to: cut.byteOffset)
      try file.synchronize()
    }
  }
}

// MARK: - The MANIFEST

extension LogExamination {
  /// Reads the MANIFEST. An edit that a crash left half written is cut off like a batch, since
  /// LevelDB never acted on it.
  private mutating func examine(_ bytes: [UInt8]) throws(StoreError) -> Manifest {
    let path = levelDBPath + "/" + manifestName
    let reading = ManifestReading(bytes)
    guard reading.goodEnd > 0 || !reading.isDamagedAtEndOnly else {
      throw StoreError(.corrupt, "the database is damaged: \(path) holds no edit")
    }
    guard let offset = reading.damageOffset else { return reading.manifest }
    guard reading.isDamagedAtEndOnly else {
      throw StoreError(.corrupt, "the database is damaged: \(path) at byte \(offset)")
    }
    var scan = Scan(name: manifestName, byteCount: bytes.count)
    scan.goodEnd = reading.goodEnd
    scan.damageOffset = offset
    scans.append(scan)
    return reading.manifest
  }

  /// Throws if a listed file is missing. LevelDB makes every file before its MANIFEST names it, so
  /// a missing one was lost. LevelDB would notice a missing table only after opening had begun, and
  /// a missing log never.
  private func check(_ manifest: Manifest, against files: StoreFiles) throws(StoreError) {
    guard let missing = files.missingFile(of: manifest) else { return }
    throw StoreError(.corrupt, "the database is damaged: \(missing) is missing in \(levelDBPath)")
  }
}

// MARK: - The logs

extension LogExamination {
  private mutating func scan(
    _ bytes: [UInt8], of name: String, _ take: (LoggedBatch, [UInt8]) -> Void
  ) {
    var scan = Scan(name: name, byteCount: bytes.count)
    var reader = LogRecordReader(bytes)
    while let element = reader.next() {
      switch element {
      case .damage(let offset): markBroken(&scan, at: offset)
      case .record(let range):
        guard let batch = LoggedBatch(reader.payload.span.bytes) else {
          markBroken(&scan, at: range.lowerBound)
          continue
        }
        if batch.firstSequence != expectedSequence ?? batch.firstSequence {
          markBroken(&scan, at: range.lowerBound)
        }
        if isBroken {
          scan.lostBatchCount += 1
          scan.firstLostOffset = scan.firstLostOffset ?? range.lowerBound
        } else {
          expectedSequence = batch.nextSequence
          scan.goodEnd = range.upperBound
          take(batch, reader.payload)
        }
      }
    }
    // Zeros that pad a block to its end belong to it.
    if scan.damageOffset == nil && !isBroken { scan.goodEnd = bytes.count }
    scans.append(scan)
  }

  private mutating func markBroken(_ scan: inout Scan, at offset: Int) {
    isBroken = true
    scan.damageOffset = scan.damageOffset ?? offset
  }

  private func refuseLosses() throws(StoreError) {
    guard let lossy = scans.first(where: { $0.lostBatchCount > 0 }),
      let firstLostOffset = lossy.firstLostOffset,
      let damaged = scans.first(where: { $0.damageOffset != nil && $0.name != manifestName }),
      let damageOffset = damaged.damageOffset
    else { return }
    let total = scans.reduce(0) { $0 + $1.lostBatchCount }
    throw StoreError(
      .corrupt,
      "the database is damaged: \(levelDBPath)/\(damaged.name) at byte \(damageOffset), and "
        + "\(total) whole batches follow it, the first in \(lossy.name) at byte "
        + "\(firstLostOffset)")
  }
}
