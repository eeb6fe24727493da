package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
package import HearthReports
import HearthStorageFormat

/// Compares every document with every index entry, both ways, in one view.
///
/// First the entries of every document are looked up. If as many entries are stored as were found,
/// there are no others. Only otherwise are the entries of that space traced back to their
/// documents.
///
/// If the store can't read some keys, only the readable ones are looked up and compared. Counts and
/// sums are not compared then, since their right values are unknown.
struct IntegrityCheck {
  private let view: ReadView
  private var report = VerificationReport()
  private var balance = EntryBalance()
  /// The comparison of kept counts; `nil` if some documents can't be read.
  private var counts: CountAudit?
  private var sums: SumAudit?
  private let comparison: DocumentComparison
  /// The keys that can be read; `nil` if all can.
  private let readable: ReadableKeys?

  static func run(
    _ view: ReadView, _ progress: (Int) -> Void
  ) throws(DatabaseError) -> VerificationReport {
    try reportingErrors {
      do {
        var check = try IntegrityCheck(view)
        return try check.run(progress)
      } catch  where isDamage(error) {
        var check = IntegrityCheck(view, try ReadableKeys(view.snapshot))
        let report = try check.run(progress)
        // The read that failed has to be reported.
        guard !report.isClean else { throw error }
        return report
      }
    }
  }

  private init(_ view: ReadView) throws {
    self.view = view
    counts = try CountAudit(view)
    sums = try SumAudit(view)
    comparison = DocumentComparison(view)
    readable = nil
  }

  private init(_ view: ReadView, _ readable: ReadableKeys) {
    self.view = view
    comparison = DocumentComparison(view, passesOverDamage: true)
    self.readable = readable
    for gap in readable.gaps { report.add(.unreadableRange, describe(gap)) }
  }

  private mutating func run(_ progress: (Int) -> Void) throws -> VerificationReport {
    try checkDocuments(progress)
    try checkEntries()
    try checkCounts()
    checkSums()
    try readRest()
    return report
  }

  // MARK: From documents to entries

  private mutating func checkDocuments(_ progress: (Int) -> Void) throws {
    let (view, readable) = (view, readable)
    try view.forEachEntry(in: .prefix(StorageKey.documentsPrefix), besides: readable) {
      key, value in
      let number = try StorageKey.documentNumber(of: key)
      report.documentCount += 1
      do {
        try check(value, number)
      } catch let error as CorruptBytes {
        report.add(.damagedRecord, "document \(number): \(error)")
      } catch  where readable != nil && isDamage(error) {
        // Its collection can't be read, and the report says so already.
      }
      if report.documentCount % 1000 == 0 { progress(report.documentCount) }
    }
  }

  private mutating func check(_ record: RawSpan, _ number: UInt64) throws {
    if report.documentCount % 1000 == 0 { try Audience.check() }
    let (document, found) = try comparison.storedDocument(record, number)
    guard let stored = found else {
      report.add(.missingEntry, "\(document.path): its collection has no number")
      return
    }
    counts?.add(stored)
    try comparison.forEachEntry(of: stored) { key, value, fault in
      // Entries that can't be read aren't counted as stored, though a lookup may find one in
      // another level.
      if readable?.contains(key) ?? true { try balance.addExpected(key, fault) }
      if keepsSums { try sums?.addExpected(key, value) }
      if let fault { report.add(fault, "\(document.path): \(describe(key))") }
    }
  }

  // MARK: From entries to documents

  private mutating func checkEntries() throws {
    try countEntries()
    report.entryCount = balance.storedCount
    let (view, readable) = (view, readable)
    var tracer = EntryTracer(view)
    for prefix in balance.suspectPrefixes(view) {
      try view.forEachEntry(in: .prefix(prefix), besides: readable) { key, value in
        let (key, value) = ([UInt8](copying: key), [UInt8](copying: value))
        guard readable?.canTrace(value) ?? true else { return }
        do {
          guard let fault = try tracer.fault(of: key, value) else { return }
          report.add(.strayEntry, "\(describe(key)): \(fault)")
        } catch  where readable != nil && isDamage(error) {
          // The cursor of this tracer has met damage and would report it again and again.
          tracer = EntryTracer(view)
        }
      }
    }
  }

  private mutating func countEntries() throws {
    let (view, readable) = (view, readable)
    for prefix in StorageKey.entryPrefixes {
      try view.forEachEntry(in: .prefix(prefix), besides: readable) { key, value in
        balance.addStored(key, under: prefix)
        if keepsSums { try sums?.addStored(key, value) }
      }
    }
  }

  // MARK: Kept counts and sums

  private mutating func checkCounts() throws {
    guard let counts else { return }
    for fault in try counts.faults() {
      report.add(.wrongCount, "\(describe(fault.key)): \(fault.problem)")
    }
  }

  /// Compares sums only if documents and entries agree, since sums that follow from a fault say
  /// nothing more.
  private mutating func checkSums() {
    guard report.isClean, let sums else { return }
    for space in sums.wrongSpaces {
      report.add(.wrongSum, "the sums of \(sums.describe(space)) differ from the stored entries")
    }
  }

  // MARK: Other records

  /// Reads the records that no document leads to, so that damage to them is noticed too.
  private func readRest() throws {
    // The search for readable keys has read them already.
    guard readable == nil else { return }
    let prefixes = [
      StorageKey.collectionsPrefix(below: .root), StorageKey.state, StorageKey.catalogPrefix,
      StorageKey.usage, StorageKey.sumsPrefix, StorageKey.hotDocumentsPrefix,
    ]
    for prefix in prefixes {
      try view.snapshot.forEachEntry(in: .prefix(prefix)) { _, _ in true }
    }
  }

  private var keepsSums: Bool { sums.map { !$0.isEmpty } ?? false }

  private func describe(_ key: [UInt8]) -> String { view.catalog.describe(key) }

  private func describe(_ gap: ReadableKeys.Gap) -> String {
    let start = gap.after.map { "after \(describe($0))" } ?? "from the beginning"
    return "\(start), \(gap.before.map { "before \(describe($0))" } ?? "up to the end")"
  }
}

/// Whether the error says that bytes could not be read, and not that they make no sense.
private func isDamage(_ error: any Error) -> Bool {
  switch error {
  case let error as StoreError: error.code == .corrupt
  case let error as DatabaseError: (error.cause as? StoreError)?.code == .corrupt
  default: false
  }
}

extension ReadView {
  /// Calls `body` with the readable entries of `range` in order.
  fileprivate func forEachEntry(
    in range: KeyRange, besides readable: ReadableKeys?,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
  ) throws {
    if let readable { return try readable.forEachEntry(in: range, body) }
    try snapshot.forEachEntry(in: range) { key, value in
      try body(key, value)
      return true
    }
  }
}

extension ReadableKeys {
  /// Whether the document to which an entry with this value leads can be read.
  fileprivate func canTrace(_ value: [UInt8]) -> Bool {
    do {
      return contains(StorageKey.document(try EntryValue.documentNumber(value.span.bytes)))
    } catch {
      // The tracer reports such a value.
      return true
    }
  }
}

extension Engine {
  /// Compares every document with every index entry, both ways, as they are at this moment.
  ///
  /// - Parameter progress: called now and then with the number of documents compared.
  /// - Complexity: every document and entry, each read once or twice.
  /// - Throws: errors of the store. The faults are in the report.
  package func verify(
    _ progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> VerificationReport {
    try IntegrityCheck.run(readView(), progress)
  }
}
