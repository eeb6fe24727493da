import HearthDocumentEngine
package import HearthDocumentModel
package import HearthOrderedStore
package import HearthReports
import HearthStorageFormat

/// Recovers the documents of a damaged database into a new one.
///
/// Each document is in one record with its path and its times. The names, the index entries and the
/// counts are made anew. The old names only serve to find documents whose records can't be read,
/// and documents that were deleted.
package struct Salvage {
  /// The size of a chunk that is written at once.
  private static let chunkCount = 500
  private static let chunkByteCount = 4 << 20

  private let source: any SalvagedStore
  private let engine: Engine
  private let clock: SalvageClock
  private let names: SalvagedNames
  private let leavesOutDoubtful: Bool
  private let find: (SalvageFinding) -> Void
  private let progress: (Int) -> Void

  private var report = SalvageReport()
  /// Numbers whose record or deletion can be read, and numbers that were reported lost.
  private var known = DocumentBitmap()
  private var chunk: [Document] = []
  private var chunkPaths: Set<ResourcePath> = []
  private var byteCount = 0
  /// Whether a record can't be read although nothing around it is damaged.
  private var hasBadRecords = false

  /// Recovers the documents of `source` into `target`, an empty store, and closes it.
  ///
  /// - Parameters:
  ///   - databaseID: the database's identity, if it can't be read any more.
  ///   - leavesOutDoubtful: whether documents that may be stale or deleted are left out.
  ///   - find: called for each thing that the salvage can't be sure of.
  ///   - progress: called now and then with the number of documents recovered.
  /// - Complexity: all keys of `source`; for documents in doubt, their names too.
  /// - Throws: `unimplemented` for a database that a later release has changed; errors of the
  ///   stores.
  package static func run(
    from source: any SalvagedStore, into target: any OrderedStore,
    databaseID: DatabaseID = .default, leavesOutDoubtful: Bool = false,
    find: @escaping (SalvageFinding) -> Void = { _ in },
    progress: @escaping (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> SalvageReport {
    try reportingErrors {
      let catalog = try SalvagedCatalog(source, fallbackID: databaseID)
      var salvage = try Salvage(source, catalog, into: target, leavesOutDoubtful, find, progress)
      try salvage.run(catalog)
      try salvage.engine.close()
      return salvage.report
    }
  }

  private init(
    _ source: any SalvagedStore, _ catalog: SalvagedCatalog, into target: any OrderedStore,
    _ leavesOutDoubtful: Bool, _ find: @escaping (SalvageFinding) -> Void,
    _ progress: @escaping (Int) -> Void
  ) throws {
    self.source = source
    self.leavesOutDoubtful = leavesOutDoubtful
    self.find = find
    self.progress = progress
    names = SalvagedNames(source)
    clock = SalvageClock(notBefore: catalog.lastCommitTime)
    var settings = EngineSettings()
    settings.documentCacheByteCount = 0
    settings.scanCacheByteCount = 0
    engine = try Engine(
      target, databaseID: catalog.databaseID, settings: settings, clock: clock)
    report.databaseID = catalog.databaseID
  }

  private mutating func run(_ catalog: SalvagedCatalog) throws {
    report.damage = source.damage.map {
      SalvageReport.Damage(place: $0.place, contents: $0.contents)
    }
    for finding in catalog.findings {
      report.settingCount += 1
      find(finding)
    }
    try engine.commitExclusively { group in
      group.reserveIndexIDs(through: catalog.lastIndexID)
      group.replaceCatalog(catalog.catalog)
    }
    try recoverDocuments()
    try flush()
    try findLostNames()
  }

  // MARK: Documents

  private mutating func recoverDocuments() throws {
    let range = KeyRange.prefix(StorageKey.documentsPrefix)
    let source = source
    try source.forEachVersion(from: range.lower, to: range.upper) { version in
      try recover(version)
      return true
    }
  }

  private mutating func recover(_ version: SalvagedVersion) throws {
    let document: Document
    let number: UInt64
    do {
      number = try StorageKey.documentNumber(of: version.key.span.bytes)
      guard let value = version.value else { return known.insert(number) }
      document = try DocumentRecord(value, own: report.databaseID).document()
      guard document.path.isDocument else { throw CorruptBytes("document path", at: 0) }
      byteCount += value.count
    } catch is CorruptBytes {
      hasBadRecords = true
      return
    }
    known.insert(number)
    guard try version.doubt.map({ try vouch(for: document, number, version, $0) }) ?? true else {
      return
    }
    try append(document)
  }

  /// Reports a document in doubt.
  ///
  /// - Returns: whether it is to be recovered.
  private mutating func vouch(
    for document: Document, _ number: UInt64, _ version: SalvagedVersion, _ doubt: Int
  ) throws -> Bool {
    let place = source.damage[doubt].place
    let path = document.path
    switch try names.verdict(of: path, number, since: version.sequence) {
    case .deleted: return false
    case .exists:
      report(.possiblyStale, path.description, "a later version may have stood in \(place)")
    case .unknown:
      report(
        .possiblyDeleted, path.description,
        "a later version, or its deletion, may have stood in \(place)")
    }
    return !leavesOutDoubtful
  }

  private mutating func report(
    _ kind: SalvageFinding.Kind, _ subject: String, _ reason: String
  ) {
    switch kind {
    case .possiblyStale, .possiblyDeleted:
      if leavesOutDoubtful { report.leftOutCount += 1 } else { report.doubtfulCount += 1 }
    case .lost, .possiblyLost: report.lostCount += 1
    case .setting: report.settingCount += 1
    }
    find(SalvageFinding(kind: kind, subject: subject, reason: reason))
  }

  private mutating func append(_ document: Document) throws {
    if report.doubtfulCount > 0 { try makeWay(for: document.path) }
    chunkPaths.insert(document.path)
    chunk.append(document)
    if chunk.count >= Self.chunkCount || byteCount >= Self.chunkByteCount { try flush() }
  }

  /// Deletes a document that was recovered under the same name. It was in doubt, and has turned out
  /// to be deleted and made anew.
  private mutating func makeWay(for path: ResourcePath) throws {
    if chunkPaths.contains(path) { try flush() }
    guard try engine.readView().document(at: path) != nil else { return }
    _ = try engine.commit([.delete(path)])
    report.documentCount -= 1
  }

  private mutating func flush() throws {
    guard !chunk.isEmpty else { return }
    let documents = chunk
    // Commits come after the documents that they hold.
    clock.advance(to: documents.reduce(.minimum) { max($0, $1.updateTime) })
    try engine.commitExclusively { group in
      for document in documents { try WriteStaging.restore(document, in: &group) }
    }
    report.documentCount += documents.count
    progress(report.documentCount)
    chunk.removeAll(keepingCapacity: true)
    chunkPaths.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  // MARK: Names without documents

  private mutating func findLostNames() throws {
    func isTouched(_ prefix: [UInt8]) -> Bool { !source.damage(in: .prefix(prefix)).isEmpty }
    guard hasBadRecords || isTouched(StorageKey.documentsPrefix) else { return }
    report.mayLackNames =
      isTouched(StorageKey.namesPrefix) && isTouched(StorageKey.groupNamesPrefix)
    let names = names
    try names.forEachName { path, words, number, version in
      guard !known.contains(number) else { return }
      known.insert(number)
      try reportLost(path, words, number, version)
    }
  }

  private mutating func reportLost(
    _ path: ResourcePath?, _ words: String, _ number: UInt64, _ version: SalvagedVersion
  ) throws {
    let verdict: SalvagedNames.Verdict =
      if version.doubt == nil {
        .exists
      } else if let path {
        try names.verdict(of: path, number, since: version.sequence)
      } else {
        .unknown
      }
    let key = StorageKey.document(number)
    let place = source.damage(in: KeyRange(lower: key, upper: key + [0])).first?.place
    let reason = place.map { "its record may have stood in \($0)" } ?? "its record is damaged"
    switch verdict {
    case .deleted: return
    case .exists: report(.lost, words, reason)
    case .unknown: report(.possiblyLost, words, "\(reason), unless it was deleted")
    }
  }
}

/// The system's clock, but never before the times of the recovered documents.
private final class SalvageClock: EngineClock {
  private let earliest: Lock<Timestamp>

  init(notBefore time: Timestamp) {
    earliest = Lock(time)
  }

  func advance(to time: Timestamp) {
    earliest.withLock { $0 = max($0, time) }
  }

  func now() -> Timestamp { max(SystemClock().now(), earliest.withLock { $0 }) }
}

extension SalvagedStore {
  fileprivate func damage(in range: KeyRange) -> [StoreDamage] {
    damage.filter { $0.touches(from: range.lower, to: range.upper) }
  }
}

extension StoreDamage {
  /// The kinds of data that may have been there, in words.
  fileprivate var contents: String {
    let kinds: [(words: String, prefixes: [[UInt8]])] = [
      ("documents", [StorageKey.documentsPrefix]),
      ("names", [StorageKey.namesPrefix, StorageKey.groupNamesPrefix]),
      ("index entries", Array(StorageKey.entryPrefixes.dropFirst(2))),
      ("kept counts", [StorageKey.keptCountsPrefix]),
      ("collections", [StorageKey.collectionsPrefix(below: .root)]),
      ("settings", [StorageKey.catalogPrefix]),
      ("state", [StorageKey.state]),
      ("sums", [StorageKey.sumsPrefix]),
      ("figures of use", [StorageKey.usage]),
      ("numbers of hot documents", [StorageKey.hotDocumentsPrefix]),
    ]
    return kinds.filter { kind in
      kind.prefixes.contains { prefix in
        touches(from: prefix, to: KeyRange.successor(of: prefix))
      }
    }.map(\.words).joined(separator: ", ")
  }
}
