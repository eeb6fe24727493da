package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
package import HearthReports
import HearthStorageFormat

/// Puts the entries that documents lack and deletes those that no document accounts for.
///
/// The documents are the truth, and entries follow them. Everything is compared in a view, while
/// writers go on. Differences are looked at again in the committer, some at a time, and repaired
/// there. Builds and drops go on too: an index that is being built gets entries that it would get
/// anyway, and a dropped one is left to its drop.
struct IndexRepair {
  /// The number of entries that one commit looks up, and the number of strays that it traces. A
  /// waiting writer waits for that long.
  private static let entryCountLimit = 500
  private static let strayCountLimit = 50

  private let engine: Engine
  private var report = RepairReport()
  /// Numbers of the documents that can't be read.
  private var damagedNumbers: Set<UInt64> = []
  private var balance = EntryBalance()

  init(engine: Engine) {
    self.engine = engine
  }

  mutating func run(_ progress: (Int) -> Void) throws(DatabaseError) -> RepairReport {
    // Sums follow the writes and don't know what was wrong before, so they are made anew.
    try engine.commitExclusively { draft in draft.derived.sums.forget() }
    let view = try engine.readView()
    try reportingErrors {
      try compareDocuments(in: view, progress)
      try compareEntries(in: view)
    }
    // Another thread may have begun to count between the faults and their repair.
    try engine.commitExclusively { draft in draft.derived.sums.forget() }
    // Neither counts nor sums can be made of documents that can't be read.
    if damagedNumbers.isEmpty {
      report.recountedCount = try engine.repairCounts()
      try engine.countSums()
    }
    return report
  }

  // MARK: Documents

  private mutating func compareDocuments(in view: ReadView, _ progress: (Int) -> Void) throws {
    var differing: [UInt64] = []
    try view.snapshot.forEachEntry(in: .prefix(StorageKey.documentsPrefix)) { key, record in
      report.documentCount += 1
      let number = try StorageKey.documentNumber(of: key)
      do {
        if try !isRight([UInt8](copying: record), number, in: view) { differing.append(number) }
      } catch let error as CorruptBytes {
        addDamaged(number, error)
      }
      if differing.count == IndexRepair.entryCountLimit {
        try mend(differing)
        differing.removeAll(keepingCapacity: true)
      }
      if report.documentCount % 500 == 0 { progress(report.documentCount) }
      return true
    }
    try mend(differing)
    progress(report.documentCount)
  }

  private mutating func addDamaged(_ number: UInt64, _ error: CorruptBytes) {
    if damagedNumbers.insert(number).inserted { report.addDamaged("document \(number): \(error)") }
  }

  /// Whether a document has all entries that it must have.
  private mutating func isRight(
    _ record: [UInt8], _ number: UInt64, in view: ReadView
  ) throws -> Bool {
    let document = try DocumentRecord(record, own: view.databaseID).document()
    guard let collection = try view.collectionNumber(ofDocument: document.path) else {
      return false
    }
    let stored = StoredDocument(
      number: number, collectionNumber: collection, document: document)
    var isRight = true
    for (key, value) in stored.expectedEntries(view.catalog, .maintained) {
      let found = try view.snapshot.value(of: key)
      let isEqual = EntryValue.areEqual(found, value, at: key)
      isRight = isRight && isEqual
      try balance.addExpected(key, isEqual ? nil : found == nil ? .missingEntry : .wrongEntry)
    }
    return isRight
  }

  /// Puts the entries that documents lack now, in commits of at most `entryCountLimit` entries or
  /// so.
  private mutating func mend(_ numbers: [UInt64]) throws(DatabaseError) {
    var rest = numbers[...]
    while !rest.isEmpty {
      let mended = try engine.commitExclusively { [rest] group in
        try IndexRepair.mend(rest, &group)
      }
      rest = rest.dropFirst(mended.documentCount)
      report.putCount += mended.putCount
      for (number, error) in mended.damaged { addDamaged(number, error) }
    }
  }

  /// The results of one commit.
  private struct Mended: Sendable {
    /// Documents that it looked at.
    var documentCount = 0
    var putCount = 0
    var damaged: [(UInt64, CorruptBytes)] = []
  }

  private static func mend(
    _ numbers: ArraySlice<UInt64>, _ group: inout CommitDraft
  ) throws -> Mended {
    var mended = Mended()
    var entryCount = 0
    for number in numbers where entryCount < entryCountLimit {
      mended.documentCount += 1
      // The document may have been deleted since.
      guard let record = try group.view.snapshot.value(of: StorageKey.document(number)) else {
        continue
      }
      do {
        let document = try DocumentRecord(record, own: group.catalog.databaseID).document()
        let collection = try group.foundCollection(document.path.parent)
        let stored = StoredDocument(
          number: number, collectionNumber: collection, document: document)
        for (key, value) in stored.expectedEntries(group.catalog, .maintained) {
          entryCount += 1
          let found = try group.view.snapshot.value(of: key)
          guard !EntryValue.areEqual(found, value, at: key) else { continue }
          group.put(key, value)
          mended.putCount += 1
        }
      } catch let error as CorruptBytes {
        mended.damaged.append((number, error))
      }
    }
    return mended
  }

  // MARK: Entries

  private mutating func compareEntries(in view: ReadView) throws {
    for prefix in StorageKey.entryPrefixes {
      try view.snapshot.forEachEntry(in: .prefix(prefix)) { key, _ in
        balance.addStored(key, under: prefix)
        return true
      }
    }
    let tracer = EntryTracer(view)
    for prefix in balance.suspectPrefixes(view) {
      var strays: [[UInt8]] = []
      try view.snapshot.forEachEntry(in: .prefix(prefix)) { key, value in
        let (key, value) = ([UInt8](copying: key), [UInt8](copying: value))
        guard try IndexRepair.isStray(key, value, damagedNumbers, tracer) else { return true }
        strays.append(key)
        guard strays.count == IndexRepair.strayCountLimit else { return true }
        try delete(strays)
        strays.removeAll(keepingCapacity: true)
        return true
      }
      try delete(strays)
    }
  }

  private static func isStray(
    _ key: [UInt8], _ value: [UInt8], _ damagedNumbers: Set<UInt64>, _ tracer: EntryTracer
  ) throws -> Bool {
    // The entries that a damaged document must have are unknown, so this one may be right.
    if !damagedNumbers.isEmpty, let number = try? EntryValue.documentNumber(value.span.bytes),
      damagedNumbers.contains(number)
    {
      return false
    }
    return try tracer.fault(of: key, value) != nil
  }

  /// Deletes those of the entries that no document accounts for now.
  private mutating func delete(_ keys: [[UInt8]]) throws(DatabaseError) {
    guard !keys.isEmpty else { return }
    report.deletedCount += try engine.commitExclusively { [damagedNumbers] group in
      let tracer = EntryTracer(group.view)
      var count = 0
      for key in keys {
        guard let value = try group.view.snapshot.value(of: key),
          try IndexRepair.isStray(key, value, damagedNumbers, tracer)
        else { continue }
        group.delete(key)
        count += 1
      }
      return count
    }
  }
}

extension Engine {
  /// Brings the indexes and kept counts in line with the documents, while writers go on.
  ///
  /// Documents that can't be read are listed in the report, and left as they are with their
  /// entries.
  ///
  /// - Parameter progress: called now and then with the number of documents read.
  /// - Complexity: every document and entry is read.
  /// - Throws: errors of the store.
  package func repair(
    _ progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> RepairReport {
    var repair = IndexRepair(engine: self)
    return try repair.run(progress)
  }

  /// Repairs the indexes and kept counts after a loss of writes that were not synced.
  ///
  /// - Returns: the number of entries and counts that were repaired.
  /// - Throws: `dataLoss` for a document that can't be read, after all else is repaired.
  package func repairIndexes() throws(DatabaseError) -> Int {
    let report = try repair()
    if let damaged = report.damaged.first {
      throw .damaged("Stored bytes are damaged: \(damaged.subject).")
    }
    return report.changeCount
  }
}
